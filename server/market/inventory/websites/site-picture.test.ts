import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpError } from '#server/platform/http/errors.ts';
import { removeUnusedUploads } from '#server/platform/media/uploads.ts';
import type { Client } from '#server/testing/client.ts';
import { CLIP, gif, jpegFromPhone, png, pngOfSize } from '#server/testing/pictures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeWebsite } from '#server/testing/story.ts';
import { removeSitePictureFile, takeOwnSitePicture } from './site-picture.ts';

const server = useOwnServer();
let seller: Client;
/** The files of a website that publishers copy their picture from, by path. */
const files = new Map<string, { status?: number; bytes?: Buffer; to?: string }>();
const web = http.createServer((request, response) => {
  const { status = 200, bytes, to } = files.get(request.url ?? '') ?? { status: 404 };
  if (to !== undefined) return void response.writeHead(302, { Location: to }).end();
  response.writeHead(status, { 'Content-Type': 'image/png' }).end(bytes);
});
let webUrl = '';
beforeAll(async () => {
  seller = await server.signIn('seller');
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterAll(async () => {
  web.close();
});

type Site = { id: number; path: string; picture: string };
async function makeSite(owner = seller): Promise<Site> {
  const { id, publicId } = await makeWebsite(owner);
  return { id, path: `/api/websites/${publicId}`, picture: `/api/websites/${publicId}/picture` };
}
const put = async ({ picture }: Site, bytes: Buffer, client = seller) =>
  await client.put(picture, new Uint8Array(bytes), { 'content-type': 'image/png' });
const pictureOf = async ({ path }: Site) => (await seller.get(path)).body.picture as string | null;
const statusOf = async (address: string) => (await fetch(new URL(address, server.url))).status;

/** Runs the queued removals, because tests start no jobs. */
async function runRemovals(): Promise<void> {
  const { rows } = await server.app.pool.query<{ payload: { websiteId: number; name: string } }>(
    `with taken as (delete from graphile_worker._private_jobs where task_id =
       (select id from graphile_worker._private_tasks where identifier = 'remove-site-picture') returning payload)
     select payload from taken`,
  );
  for (const { payload } of rows) await removeSitePictureFile(server.ctx, payload);
}

describe('an uploaded picture', () => {
  it.each([
    ['a wide PNG', () => png(400, 100)],
    ['a photo on its side', () => jpegFromPhone(300, 200)],
    ['an animation', () => gif(3)],
  ])('is stored and shown as a square without metadata, from %s', async (_name, make) => {
    const site = await makeSite();
    expect(await pictureOf(site)).toBeNull();
    const answer = await put(site, await make());
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.body).toMatchObject({ id: site.id, picture: await pictureOf(site) });
    const file = await fetch(new URL(answer.body.picture as string, server.url));
    expect(file.headers.get('content-type')).toBe('image/webp');
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    const shown = await sharp(Buffer.from(await file.arrayBuffer())).metadata();
    expect(shown).toMatchObject({ format: 'webp', width: 256, height: 256 });
    expect([shown.exif, shown.pages]).toEqual([undefined, undefined]);
  });

  it('is in the marketplace and among the own websites', async () => {
    const site = await makeSite();
    const picture = (await put(site, await png())).body.picture as string;
    for (const list of ['/api/websites', '/api/websites/my'])
      expect((await seller.get(list)).body).toContainEqual(expect.objectContaining({ id: site.id, picture }));
  });

  it.each([
    ['text', async () => Buffer.from('no picture'), 415, 'Choose a JPEG, PNG or GIF image.'],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, /JPEG, PNG or GIF/],
    ['a video', async () => CLIP, 415, 'Choose a JPEG, PNG or GIF image.'],
    ['half a PNG', async () => (await png(300, 300)).subarray(0, 200), 415, /damaged/],
    ['an empty file', async () => Buffer.alloc(0), 400, 'The file is empty. Choose another one.'],
    ['a file of 6 MB', () => pngOfSize(6 * 1024 * 1024), 413, /up to 5 MB/],
    ['too many pixels', () => png(6000, 5000), 413, /too many pixels/],
  ])('is refused with a message if it is %s, and the old one stays', async (_name, make, status, message) => {
    const site = await makeSite();
    const before = (await put(site, await png())).body.picture as string;
    const answer = await put(site, await make());
    expect(answer.status).toBe(status);
    expect(answer.body.message).toMatch(message);
    expect(await pictureOf(site)).toBe(before);
    expect(await statusOf(before)).toBe(200);
  });

  it('is removed with its file when it is replaced or removed, and no sweep removes it before', async () => {
    const site = await makeSite();
    const twin = await makeSite();
    const bytes = await png(300, 300);
    const first = (await put(site, bytes)).body.picture as string;
    const twins = (await put(twin, bytes)).body.picture as string;
    const second = (await put(site, await gif(2))).body.picture as string;
    await runRemovals();
    expect(await Promise.all([first, twins, second].map(statusOf))).toEqual([404, 200, 200]);

    server.clock.advance(30 * 24 * 60 * 60 * 1000);
    await removeUnusedUploads(server.ctx);
    expect(await statusOf(second)).toBe(200);

    expect((await seller.delete(site.picture)).body.picture).toBeNull();
    expect((await seller.delete(site.picture)).status).toBe(200);
    await runRemovals();
    expect(await Promise.all([twins, second].map(statusOf))).toEqual([200, 404]);
  });

  it('is kept if it is chosen again before the removal of the first one runs', async () => {
    const site = await makeSite();
    const bytes = await png(300, 300);
    const first = (await put(site, bytes)).body.picture as string;
    await seller.delete(site.picture);
    const again = (await put(site, bytes)).body.picture as string;
    await runRemovals();
    expect([await statusOf(first), await statusOf(again)]).toEqual([404, 200]);
  });

  it('belongs to the owner: others get 404, advertisers 403 and visitors 401', async () => {
    const site = await makeSite();
    const callers = [server.anyone(), await server.signIn('buyer'), await server.signIn('seller')];
    const image = { imageUrl: `${webUrl}/logo.png` };
    for (const [at, status] of [401, 403, 404].entries()) {
      const client = callers[at]!;
      expect((await put(site, await png(), client)).status).toBe(status);
      expect((await client.post(site.picture, image)).status).toBe(status);
      expect((await client.delete(site.picture)).status).toBe(status);
    }
    expect(await pictureOf(site)).toBeNull();
    for (const name of ['x', `${'0'.repeat(64)}.webp`, '..%2f..%2fsecret', `${'0'.repeat(64)}.png`])
      expect((await seller.get(`/site-pictures/${name}`)).status).toBe(404);
  });
});

describe('a picture from the web', () => {
  it('is copied and re-encoded, also after a redirect, and the other server is not called again', async () => {
    const site = await makeSite();
    files.set('/logo.png', { bytes: await jpegFromPhone(300, 200) });
    files.set('/moved', { to: '/logo.png' });
    const answer = await seller.post(site.picture, { imageUrl: `${webUrl}/moved` });
    expect(answer.status).toBe(200);
    files.clear();
    const file = await fetch(new URL(answer.body.picture as string, server.url));
    const shown = await sharp(Buffer.from(await file.arrayBuffer())).metadata();
    expect([shown.format, shown.width, shown.height, shown.exif]).toEqual(['webp', 256, 256, undefined]);
  });

  it.each([
    [
      'is missing',
      {},
      { status: 404, bytes: Buffer.alloc(0) },
      400,
      /answered with status 404. Upload a file instead/,
    ],
    ['is a page', {}, { bytes: Buffer.from('<html>') }, 415, 'Choose a JPEG, PNG or GIF image.'],
    ['is empty', {}, { bytes: Buffer.alloc(0) }, 400, 'The file is empty'],
    ['is too large', {}, { bytes: Buffer.alloc(6 * 1024 * 1024) }, 400, /too large/],
    ['redirects too often', {}, { to: '/image' }, 400, /redirects too many times/],
    ['leads to a file', {}, { to: 'file:///etc/passwd' }, 400, /starts with http/],
    ['is no address', { imageUrl: 'javascript:alert(1)' }, {}, 400, 'Please enter a valid URL'],
    ['is not given', { imageUrl: undefined }, {}, 400, 'Please enter a valid URL'],
  ])(
    'is refused with a message if it %s, and the old one stays',
    async (_name, body, file, status, message) => {
      const site = await makeSite();
      const before = (await put(site, await png())).body.picture as string;
      files.set('/image', file);
      const answer = await seller.post(site.picture, { imageUrl: `${webUrl}/image`, ...body });
      expect(answer.status).toBe(status);
      expect(answer.body.message).toMatch(message);
      expect(await pictureOf(site)).toBe(before);
    },
  );

  it('is never read from an address inside the network, outside development mode', async () => {
    const { id } = await makeSite();
    const strict = { ...server.ctx, config: { ...server.ctx.config, developmentMode: false } };
    const who = { id: seller.user.id, email: seller.user.email, role: 'seller' } as never;
    for (const imageUrl of ['http://127.0.0.1/a.png', 'http://169.254.169.254/a.png', 'http://[::1]/a.png']) {
      const taken = takeOwnSitePicture(strict, who, {
        params: { ref: { id } },
        body: { imageUrl },
        query: undefined,
      });
      await expect(taken).rejects.toThrow(HttpError);
      await expect(taken).rejects.toThrow('not on the public internet');
    }
  });
});

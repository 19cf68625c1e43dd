/** The product while its files are in S3, and S3 is slow, forbids, fails or breaks off. */
import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { removeAvatarFile } from '#server/people/accounts/avatar.ts';
import { removeSitePictureFile } from '#server/market/inventory/websites/site-picture.ts';
import type { Client } from '#server/testing/client.ts';
import { CLIP, clipOfSize, png } from '#server/testing/pictures.ts';
import { startBucket } from '#server/testing/s3/bucket.ts';
import { useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { makeWebsite } from '#server/testing/story.ts';
import { removeFiles } from './close-account.ts';
import { removeStaleUploads } from './uploads.ts';

const s3 = useStarted(startBucket);
const server = useOwnServer(() => ({ env: s3.settings }));
let person: Client;
beforeAll(async () => {
  person = await server.signIn('both');
});
afterEach(() => s3.break('none'));

const address = async () =>
  ((await person.post('/api/ad-images/upload')).body as { uploadURL: string }).uploadURL;
const put = async (url: string, bytes: Buffer, type = 'image/png') =>
  await server.anyone().put(url, new Uint8Array(bytes), { 'content-type': type });
const rowOf = async (url: string) =>
  await server.ctx.db
    .selectFrom('uploads')
    .selectAll()
    .where('name', '=', url.split('/').at(-1)!)
    .executeTakeFirstOrThrow();
const keysIn = async () => {
  const keys: string[] = [];
  for await (const { key } of server.ctx.blobs.list()) keys.push(key);
  return keys;
};
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const fetched = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(new URL(path, server.url), { headers });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: new Uint8Array(await answer.arrayBuffer()),
  };
};

/** Connections of the server that are in a transaction, or wait for a lock. */
async function busyConnections(): Promise<number> {
  const { rows } = await server.app.pool.query<{ busy: string }>(
    `select count(*) as busy from pg_stat_activity where datname = current_database()
       and pid <> pg_backend_pid() and (state like 'idle in transaction%' or wait_event_type = 'Lock')`,
  );
  return Number(rows[0]?.busy);
}

describe('with its files in S3, the server', () => {
  it('stores, serves and removes images, videos and pictures', async () => {
    const image = await png(50, 40);
    const [imageUrl, videoUrl] = [await address(), await address()];
    expect((await put(imageUrl, image)).status).toBe(200);
    expect((await put(videoUrl, CLIP, 'video/mp4')).status).toBe(200);
    const path = imageUrl.replace('/api/uploads/', '/ad-images/');
    expect(hash((await fetched(path)).bytes)).toBe(hash(image));
    const video = (await rowOf(videoUrl)).rendition!;
    expect(hash((await fetched(`/m/${video}`)).bytes)).toBe(hash(CLIP));
    const part = await fetched(`/m/${video}`, { range: 'bytes=100-199' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${CLIP.length}`]);
    expect(hash(part.bytes)).toBe(hash(CLIP.subarray(100, 200)));
    expect((await fetched(`/m/${video}`, { range: `bytes=${CLIP.length}-` })).status).toBe(416);

    const picture = await person.put('/api/user/picture', new Uint8Array(image), {
      'content-type': 'image/png',
    });
    expect((await fetched(picture.body.profileImageUrl as string)).status).toBe(200);
    await server.ctx.db.deleteFrom('uploads').where('rendition', '=', video).execute();
    await removeFiles(server.ctx, { name: videoUrl.split('/').at(-1)!, rendition: video });
    expect((await fetched(`/m/${video}`)).status).toBe(404);
  });

  it('holds no lock, transaction or connection while bytes travel', async () => {
    const url = await address();
    const site = await makeWebsite(person);
    // More calls at once than the server has connections.
    const uploads = await Promise.all(Array.from({ length: 12 }, address));
    const image = await png(60, 60);
    const [writing, removing, removingShown] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    s3.break({ until: writing.promise });
    const pictures = ['/api/user/picture', `/api/websites/${site.publicId}/picture`].map((path) =>
      person.put(path, new Uint8Array(image), { 'content-type': 'image/png' }),
    );
    const answers = Promise.all([put(url, image), ...uploads.map((each) => put(each, image)), ...pictures]);
    await expect.poll(() => s3.calls().filter((call) => call.startsWith('PUT')).length).toBe(15);
    expect(await busyConnections()).toBe(0);
    expect((await fetched('/api/health/ready')).status).toBe(200);
    expect((await person.get('/api/auth/user')).status).toBe(200);
    writing.resolve();
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 200));

    s3.break({ until: removing.promise });
    const removals = Promise.all([
      removeFiles(server.ctx, { name: 'none', rendition: `${'0'.repeat(64)}.png` }),
      removeAvatarFile(server.ctx, { userId: person.user.id, name: `${'0'.repeat(64)}.webp` }),
      removeSitePictureFile(server.ctx, { websiteId: site.id, name: `${'0'.repeat(64)}.webp` }),
    ]);
    await expect.poll(() => s3.calls().length).toBe(3);
    expect(await busyConnections()).toBe(0);
    // The rendition goes after the original.
    s3.break({ until: removingShown.promise });
    removing.resolve();
    await expect.poll(() => s3.calls().length).toBe(1);
    expect(await busyConnections()).toBe(0);
    removingShown.resolve();
    await removals;
  });

  it.each([
    ['forbids', { status: 403 }],
    ['is busy', { status: 503 }],
    ['breaks the connection', 'refuse'],
  ] as const)(
    'answers uploads and files with 503 while S3 %s, and takes the file afterwards',
    async (_what, fault) => {
      const [url, stored] = [await address(), await address()];
      const bytes = clipOfSize(200_000);
      await put(stored, await png(7, 7));
      const path = stored.replace('/api/uploads/', '/ad-images/');
      const { rendition } = await rowOf(stored);
      const before = await keysIn();

      s3.break(fault);
      const refused = await put(url, bytes, 'video/mp4');
      expect(refused).toMatchObject({
        status: 503,
        body: { message: 'The server can’t reach its file storage right now. Please try again in a moment.' },
      });
      expect(JSON.stringify(refused.body)).not.toMatch(/S3|AccessDenied/);
      expect(refused.headers.get('retry-after')).toBe('10');
      expect((await fetched(path)).status).toBe(503);
      expect((await fetched(`/m/${rendition}`)).status).toBe(503);
      expect(
        (await person.put('/api/user/picture', new Uint8Array(await png()), { 'content-type': 'image/png' }))
          .status,
      ).toBe(503);
      expect((await rowOf(url)).storedAt).toBeNull();

      s3.break('none');
      expect(await keysIn()).toEqual(before);
      expect((await put(url, bytes, 'video/mp4')).status).toBe(200);
      expect(hash((await fetched(`/m/${(await rowOf(url)).rendition}`)).bytes)).toBe(hash(bytes));
    },
  );

  it('never delivers half a file as a whole one', async () => {
    const url = await address();
    await put(url, clipOfSize(300_000), 'video/mp4');
    const { rendition } = await rowOf(url);
    s3.break('cut');
    for (const path of [`/m/${rendition}`, url.replace('/api/uploads/', '/ad-images/')])
      await expect(fetched(path)).rejects.toThrow('terminated');
    await expect(fetched(`/m/${rendition}`, { range: 'bytes=0-99999' })).rejects.toThrow('terminated');
  });

  it('lets the first of two files at one address win, and leaves nothing of the other', async () => {
    const url = await address();
    const [one, other] = [await png(30, 30), await png(31, 31)];
    s3.break({ delayMs: 300 }, { method: 'PUT' });
    const before = await keysIn();
    const statuses = (await Promise.all([put(url, one), put(url, other), put(url, one)])).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
    const stored = await rowOf(url);
    expect((await keysIn()).length).toBe(before.length + 2);
    const shown = await fetched(url.replace('/api/uploads/', '/ad-images/'));
    expect(hash(shown.bytes)).toBe(hash(stored.width === 30 ? one : other));
  });

  it('removes what a failed upload left, after its address has expired', async () => {
    const url = await address();
    const before = await keysIn();
    const image = await png(33, 33);
    // The first of the two files is written, and the second one fails.
    s3.break({ status: 503 }, { method: 'PUT', after: 1 });
    expect((await put(url, image)).status).toBe(503);
    s3.break('none');
    expect((await keysIn()).length).toBe(before.length + 1);
    const { name, rendition } = await rowOf(url);
    server.clock.advance(2 * 60 * 60 * 1000);
    await removeStaleUploads(server.ctx);
    await removeFiles(server.ctx, { name, rendition: rendition! });
    expect(await keysIn()).toEqual(before);
  });
});

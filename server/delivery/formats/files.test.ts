import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { gif, png } from '#server/testing/pictures.ts';
import { DELIVERY_PLACEHOLDER } from '#domain/delivery/wire.ts';
import { makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const server = useOwnAdServer();

// Proves API-55, ZONE-08
it('serves the same script for every zone, compressed, cacheable and without a cookie', async () => {
  const { zone } = await makeSiteWithZone(server.ctx);
  const built = await readFile(path.resolve(import.meta.dirname, '../../../dist/tag/tag.js'), 'utf8').catch(
    () => null,
  );
  const call = (id: string, headers: Record<string, string> = {}) =>
    server.caller.get(`/api/serve/zone/${id}`, headers);
  const first = await call(zone);
  const served = built?.replaceAll(DELIVERY_PLACEHOLDER, server.url);
  // Without a build there is no script to serve. The browser tests always run on a build.
  if (served === undefined) return expect(first.status).toBe(503);
  expect(first.status).toBe(200);
  expect(first.text).toBe(served);
  expect((await call('any-other')).text).toBe(served);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=604800, stale-if-error=604800',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  });
  expect(first.headers.getSetCookie()).toEqual([]);

  const etags = new Set<string>();
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const answer = await call(zone, { 'accept-encoding': accepted });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.text).toBe(served);
    const etag = answer.headers.get('etag') as string;
    etags.add(etag);
    const again = await call(zone, { 'accept-encoding': accepted, 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  }
  expect(etags.size).toBe(3);
});

it.each(['zone/any', 'facts.js', 'placement.js', 'sample.js', 'landing.js', 'posts.js'])(
  'writes the delivery address into the script %s, so that it needs no address of its own',
  async (name) => {
    const script = await server.caller.get(`/api/serve/${name}`);
    if (script.status === 503) return;
    expect(script.text).toContain(`${server.url}/api/serve/`);
    expect(script.text).not.toContain('.invalid');
    const query = await server.caller.get(`/api/serve/${name}?t0ken`, {
      'if-none-match': script.headers.get('etag')!,
    });
    expect(query.status).toBe(304);
  },
);

// Proves DEL-16, API-55, GEN-15
it('serves a creative under the hash of its content to any site, whole or in ranges, and never as a page', async () => {
  const bytes = Buffer.from('not really a picture, but the bytes of one');
  const name = `${createHash('sha256').update(bytes).digest('hex')}.png`;
  await mkdir(path.join(server.ctx.config.dataDir, 'uploads/m'), { recursive: true });
  await server.ctx.blobs.put(`m/${name}`, bytes);
  const whole = await server.caller.get(`/m/${name}`);
  expect(whole.status).toBe(200);
  expect(whole.text).toBe(bytes.toString());
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  });
  const part = await server.caller.get(`/m/${name}`, { range: 'bytes=4-9' });
  expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
    206,
    bytes.toString().slice(4, 10),
    `bytes 4-9/${bytes.length}`,
  ]);
  expect((await server.caller.get(`/m/${name}`, { range: 'bytes=900-' })).status).toBe(416);
  const head = await server.caller.send('HEAD', `/m/${name}`);
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  for (const other of [`${'0'.repeat(64)}.png`, 'x.png', '..%2fuploads%2fx', `${'0'.repeat(64)}.svg`, '']) {
    expect((await server.caller.get(`/m/${other}`)).status).toBe(404);
  }
});

it('serves the first frame of an animated creative, and any other creative as it is', async () => {
  for (const [bytes, extension] of [
    [await gif(10, 300, 250), 'gif'],
    [await png(), 'png'],
  ] as const) {
    const name = `${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
    await server.ctx.blobs.put(`m/${name}`, bytes);
    const still = await fetch(`${server.caller.url}/m/${name}?still`, { headers: { range: 'bytes=0-9' } });
    expect(still.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const { length } = Buffer.from(await still.arrayBuffer());
    if (extension === 'gif') expect([still.status, length < bytes.length / 2]).toEqual([200, true]);
    else expect([still.status, length]).toEqual([206, 10]);
  }
  expect((await server.caller.get(`/m/${'0'.repeat(64)}.gif?still`)).status).toBe(404);
  // A frame that nobody reads leaves no file open.
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith('.gif');
      } catch {
        return false;
      }
    });
  const gifName = `${createHash('sha256')
    .update(await gif(10, 300, 250))
    .digest('hex')}.gif`;
  for (let time = 0; time < 5; time += 1) await server.caller.send('HEAD', `/m/${gifName}?still`);
  if (process.platform === 'linux') await expect.poll(openFiles).toEqual([]);
});

// Proves API-55
it('shows on the page behind the "Ad" mark who advertises, who paid, why the ad is shown, and how to report it', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, { title: '<b>50 % off</b>' });
  const page = await server.caller.get(`/api/serve/why/${ad.publicId}`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(page.text).toContain('&lt;b&gt;50 % off&lt;/b&gt;');
  expect(page.text).not.toContain('<b>50');
  expect(page.text).toMatch(/Shown on behalf of<\/dt><dd><bdi>Ada Lane</);
  expect(page.text).toMatch(/Paid for by<\/dt><dd><bdi>Ada Lane</);
  expect(page.text).toContain(`/report-ad/${ad.publicId}"`);

  const { userId } = await server.ctx.db
    .selectFrom('ads')
    .select('userId')
    .where('id', '=', ad.id)
    .executeTakeFirstOrThrow();
  await server.ctx.db
    .updateTable('userSettings')
    .set({ businessName: 'Ada & Sons' })
    .where('userId', '=', userId)
    .execute();
  expect((await server.caller.get(`/api/serve/why/${ad.publicId}`)).text).toContain(
    '<dd><bdi>Ada &amp; Sons</bdi></dd>',
  );

  for (const other of ['00000000-0000-4000-8000-000000000000', 'x', '', "'; drop table ads; --"]) {
    const missing = await server.caller.get(`/api/serve/why/${encodeURIComponent(other)}`);
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('Ad not found');
  }
});

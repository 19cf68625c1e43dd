import { once } from 'node:events';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { png, pngOfSize } from '#server/testing/pictures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { upload } from '#server/testing/uploads.ts';
import { whileArriving } from './arrivals.ts';
import { removeFiles } from './close-account.ts';
import { renditionKey } from './keys.ts';
import { receiveFile } from './receive.ts';
import { removeUnusedUploads } from './uploads.ts';

const MB = 1024 * 1024;

const server = useOwnServer({
  env: { ACCOUNT_STORAGE_MB: '4', TOTAL_STORAGE_MB: '9', UPLOAD_MEMORY_MB: '60' },
});
let buyer: Client;
beforeAll(async () => {
  buyer = await server.signIn('buyer');
});

async function put(who: Client, bytes: Buffer) {
  const { uploadURL } = (await who.post('/api/ad-images/upload')).body as { uploadURL: string };
  return await who.put(uploadURL, new Uint8Array(bytes), { 'content-type': 'image/png' });
}
const storedOf = async (who: Client) =>
  (
    await server.ctx.db
      .selectFrom('uploads')
      .select('byteSize')
      .where('userId', '=', who.user.id)
      .where('storedAt', 'is not', null)
      .execute()
  ).length;
const counted = async () =>
  Number((await server.ctx.db.selectFrom('storedBytes').select('bytes').executeTakeFirst())?.bytes);
const summed = async () =>
  Number(
    (await sql<{ n: string }>`select coalesce(sum(byte_size), 0) as n from uploads`.execute(server.ctx.db))
      .rows[0]?.n,
  );

// Proves DOOR-12
it('an account and the server have a quota of bytes, also for files that arrive at once', async () => {
  const file = await pngOfSize(1.5 * MB);
  const answers = await Promise.all(Array.from({ length: 5 }, () => put(buyer, file)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
  expect(answers.find(({ status }) => status === 409)?.body.message).toContain('used the 4 MB');
  expect(await storedOf(buyer)).toBe(2);
  expect((await put(buyer, await png())).status).toBe(200);

  // The three files of others fit into the nine megabytes of the server, and a fourth finds no room.
  const [second, third] = [await server.signIn(), await server.signIn()];
  for (const who of [second, second, third]) expect((await put(who, file)).status).toBe(200);
  expect(await put(third, file)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('no room') as string },
  });
  expect(await counted()).toBe(await summed());
  expect(await counted()).toBeLessThanOrEqual(9 * MB);
  await sql`delete from uploads`.execute(server.ctx.db);
  expect(await counted()).toBe(0);
});

// Proves DOOR-12
it('all accounts together hold at most UPLOAD_MEMORY_MB of files that are arriving', async () => {
  const { config } = server.ctx;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const many = Array.from({ length: 16 }, (_, account) =>
    whileArriving(config, 1000 + account, 50 * MB, async () => await held).then(
      () => 'held',
      (error: { status: number }) => error.status,
    ),
  );
  // Another account's small file still finds room beside one video.
  expect(await whileArriving(config, 1, 5 * MB, async () => 'stored')).toBe('stored');
  await expect(whileArriving(config, 1, 20 * MB, async () => {})).rejects.toMatchObject({ status: 429 });
  release();
  const outcomes = await Promise.all(many);
  expect(outcomes.filter((each) => each === 'held')).toHaveLength(1);
  expect(outcomes.filter((each) => each === 429)).toHaveLength(15);
  expect(await whileArriving(config, 1, 50 * MB, async () => 'free again')).toBe('free again');
});

// Proves DOOR-12
it('a connection that breaks gives back what its file had reserved', async () => {
  const { uploadURL } = (await buyer.post('/api/ad-images/upload')).body as { uploadURL: string };
  const body = new Readable({ read() {} });
  const name = uploadURL.split('/').at(-1) as string;
  const file = { body, declaredType: 'video/mp4', declaredLength: 50 * MB };
  const failed = receiveFile(server.ctx, name, file).catch((error: { status: number }) => error.status);
  await expect.poll(() => body.listenerCount('data')).toBe(1);
  expect((await put(await server.signIn(), await pngOfSize(3 * MB))).status).toBe(200);
  body.destroy();
  expect(await failed).toBe(400);
  expect(await whileArriving(server.ctx.config, 1, 60 * MB, async () => 'free')).toBe('free');
});

// Proves DOOR-12
it('a connection that broke before its file was read reserves nothing', async () => {
  const { uploadURL } = (await buyer.post('/api/ad-images/upload')).body as { uploadURL: string };
  const body = new Readable({ read() {} }).destroy();
  await once(body, 'close');
  const file = { body, declaredType: 'video/mp4', declaredLength: 50 * MB };
  const name = uploadURL.split('/').at(-1) as string;
  await expect(receiveFile(server.ctx, name, file)).rejects.toMatchObject({ status: 400 });
  expect(await whileArriving(server.ctx.config, 1, 60 * MB, async () => 'free')).toBe('free');
});

// Proves DOOR-12
it('a file that no ad and no library uses is removed after a week, and a used one stays', async () => {
  const seller = await server.signIn('seller');
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)), {
    adType: 'image',
  });
  const inAd = await upload(buyer);
  await makeAd(buyer, product, { imageUrl: inAd });
  const inLibrary = await upload(buyer);
  await buyer.post('/api/media-library', { imagePath: inLibrary, filename: 'a.png', fileSize: 1 });
  const unused = (await put(await server.signIn(), await png(9, 9))).body.path as string;
  const { rendition } = await server.ctx.db
    .selectFrom('uploads')
    .select('rendition')
    .where('name', '=', unused.split('/').at(-1) as string)
    .executeTakeFirstOrThrow();
  const exists = async (path: string) => (await server.anyone().get(path)).status === 200;

  server.clock.advance(7 * DAY_MS - HOUR_MS);
  await removeUnusedUploads(server.ctx);
  expect([await exists(inAd), await exists(inLibrary), await exists(unused)]).toEqual([true, true, true]);
  server.clock.advance(2 * HOUR_MS);
  expect(await removeUnusedUploads(server.ctx)).toBeGreaterThanOrEqual(1);
  expect([await exists(inAd), await exists(inLibrary), await exists(unused)]).toEqual([true, true, false]);
  expect(await removeUnusedUploads(server.ctx)).toBe(0);
  expect(await counted()).toBe(await summed());

  await removeFiles(server.ctx, { name: unused.split('/').at(-1) as string, rendition: rendition as string });
  expect(await server.ctx.blobs.size(renditionKey(rendition as string))).toBeNull();
});

// Proves DOOR-12
it('an ad that is submitted while the job runs keeps its file', async () => {
  const seller = await server.signIn('seller');
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)), {
    adType: 'image',
  });
  for (let round = 0; round < 10; round++) {
    const who = await server.signIn('buyer');
    const imageUrl = await upload(who);
    await sql`update uploads set stored_at = stored_at - interval '30 days' where user_id = ${who.user.id}`.execute(
      server.ctx.db,
    );
    const { adZoneId, id: productId } = product;
    const body = {
      adZoneId,
      productId,
      adType: 'image',
      title: 'T',
      description: 'D',
      targetUrl: 'https://a.test',
      imageUrl,
    };
    const [, answer] = await Promise.all([removeUnusedUploads(server.ctx), who.post('/api/ads', body)]);
    const isThere = (await server.anyone().get(imageUrl)).status === 200;
    expect([answer.status === 201, isThere]).toEqual([isThere, isThere]);
  }
});

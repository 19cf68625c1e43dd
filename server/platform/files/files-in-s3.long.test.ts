/** Uploads that move to S3: `openslot files copy`, the doctor, and starts with a bucket that cannot be used. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { blobsIn } from './blob-stores.ts';
import type { BlobStore } from './blobs.ts';
import { readConfig } from '../settings/config.ts';
import { freePort } from '../database/embedded/process.ts';
import { installationId } from '../database/servers/servers.ts';
import { spawnOpenslot } from '#server/testing/openslot.ts';
import { png } from '#server/testing/pictures.ts';
import { BUCKET, startBucket, type TestBucket } from '#server/testing/s3/bucket.ts';
import { spawnServer } from '#server/testing/server-process.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';

let s3: TestBucket;
let server: TestServer;
let local: BlobStore;
let remote: BlobStore;
beforeAll(async () => {
  s3 = await startBucket();
  server = await startTestServer();
  const config = readConfig({ DATA_DIR: server.ctx.config.dataDir, ...s3.settings });
  const installation = async () => await installationId(server.ctx.db);
  local = blobsIn('local', config, installation);
  remote = blobsIn('s3', config, installation);
});
afterEach(() => s3.break('none'));
afterAll(async () => {
  await server.close();
  await s3.close();
});

const settings = () => ({
  DATABASE_URL: server.databaseUrl,
  DATA_DIR: server.ctx.config.dataDir,
  PORT: String(server.ctx.config.port),
  ...s3.settings,
});
const copy = async (from: string, to: string, env: Record<string, string> = {}) => {
  const { code, out } = await spawnOpenslot(['files', 'copy', '--from', from, '--to', to, '--json'], {
    ...settings(),
    ...env,
  });
  return { code, answer: JSON.parse(out) as Record<string, unknown> };
};
const bytesIn = async (store: BlobStore, key: string) => await buffer((await store.read(key))!.stream);

it('copies every byte to S3 and back, is safe to repeat, and mends what differs', async () => {
  const person = await server.signIn();
  const { uploadURL } = (await person.post('/api/ad-images/upload')).body as { uploadURL: string };
  const image = await png(20, 20);
  await person.put(uploadURL, new Uint8Array(image), { 'content-type': 'image/png' });
  const large = randomBytes(3_000_001);
  await local.put('m/large.mp4', large);
  await local.put('m/empty', Buffer.alloc(0));
  const keys: string[] = [];
  for await (const { key } of local.list()) keys.push(key);
  expect(keys).toHaveLength(4);

  const first = await copy('local', 's3');
  expect(first).toEqual({ code: 0, answer: { copied: 4, same: 0, bytes: expect.any(Number), wrong: [] } });
  expect(first.answer.bytes).toBeGreaterThan(3_000_001);
  for (const key of keys) expect((await bytesIn(remote, key)).equals(await bytesIn(local, key))).toBe(true);
  expect(await copy('local', 's3')).toEqual({ code: 0, answer: { copied: 0, same: 4, bytes: 0, wrong: [] } });

  // One byte differs, at the same length.
  large[1_500_000]! ^= 1;
  await remote.put('m/large.mp4', large);
  expect((await copy('local', 's3')).answer).toEqual({ copied: 1, same: 3, bytes: 3_000_001, wrong: [] });

  await rm(path.join(server.ctx.config.dataDir, 'uploads'), { recursive: true });
  expect((await copy('s3', 'local')).answer).toMatchObject({ copied: 4, same: 0, wrong: [] });
  const file = path.join(server.ctx.config.dataDir, 'uploads', 'uploads', uploadURL.split('/').at(-1)!);
  expect((await readFile(file)).equals(image)).toBe(true);
});

it('names the files that S3 gives back differently, or stops with the reason, and goes on when it is repeated', async () => {
  await remote.delete('m/large.mp4');
  // It keeps two of them to itself: the comparison finds no file.
  s3.break({ status: 404 }, { method: 'GET', after: 3 });
  const wrong = await copy('local', 's3');
  expect(wrong.code).toBe(1);
  expect((wrong.answer.wrong as string[]).length).toBeGreaterThan(0);
  s3.break({ status: 503 }, { method: 'PUT' });
  await remote.delete('m/large.mp4');
  const stopped = await copy('local', 's3');
  expect(stopped).toEqual({ code: 1, answer: { error: 'S3 answered PUT with 503 SlowDown.' } });
  s3.break('none');
  expect(await copy('local', 's3')).toMatchObject({ code: 0, answer: { copied: 1, wrong: [] } });
});

it('refuses a copy without two places, or without the settings of one', async () => {
  for (const [from, to] of [
    ['local', 'local'],
    ['disk', 's3'],
    ['s3', ''],
  ])
    expect((await copy(from!, to!)).code).toBe(2);
  const unset = await copy('local', 's3', { S3_BUCKET: '' });
  expect(unset).toEqual({ code: 2, answer: { error: expect.stringContaining('S3_BUCKET is not set') } });
});

/** Starts the server, expects it to exit with an error by itself, and returns its output. */
async function refusal(env: Record<string, string>): Promise<string> {
  const child = spawnServer({
    ...settings(),
    DATABASE_OWNER_URL: server.ownerUrl,
    SAMPLE_DATA: '0',
    PORT: String(await freePort()),
    ...env,
  });
  // A server that starts all the same is stopped, which fails the test.
  const limit = setTimeout(() => child.child.kill(), 60_000);
  expect([await child.ended, child.output()]).toEqual([1, expect.stringContaining('did not start')]);
  clearTimeout(limit);
  return child.output();
}

it('does not start with the bucket of another installation, a missing one or a wrong key, and says which setting', async () => {
  await remote.check();
  const another = await startTestServer();
  // The databases of tests are copies of one.
  await another.owner.updateTable('installation').set({ id: randomUUID() }).execute();
  try {
    const urls = { DATABASE_URL: another.databaseUrl, DATABASE_OWNER_URL: another.ownerUrl };
    expect(await refusal(urls)).toContain(
      'S3_BUCKET belongs to another installation of Openslot. Set S3_BUCKET or S3_PREFIX to a place of its own.',
    );
    const doctor = await spawnOpenslot(['doctor'], { ...settings(), ...urls });
    expect(doctor).toMatchObject({ code: 1, out: expect.stringMatching(/^fail +files +S3_BUCKET belongs/m) });
  } finally {
    await another.close();
  }
  expect(await refusal({ S3_BUCKET: 'no-such-bucket' })).toContain('S3_BUCKET names no-such-bucket');
  const wrong = await refusal({ S3_SECRET_ACCESS_KEY: 'wrong-secret-word' });
  expect(wrong).toMatch(/SignatureDoesNotMatch\. Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY/);
  expect(wrong).not.toContain('wrong-secret-word');
  expect((await spawnOpenslot(['doctor'], settings())).out).toContain(`Uploads are in the bucket ${BUCKET}`);
});

it('starts while S3 is away, and takes files when it is back', async () => {
  s3.break('refuse');
  const started = await startTestServer({ env: { ...s3.settings, S3_PREFIX: 'late' } });
  try {
    const person = await started.signIn();
    const image = new Uint8Array(await png());
    const put = async () => await person.put('/api/user/picture', image, { 'content-type': 'image/png' });
    expect((await fetch(`${started.url}/api/health/ready`)).status).toBe(200);
    expect((await put()).status).toBe(503);
    s3.break('none');
    expect((await put()).status).toBe(200);
  } finally {
    await started.close();
  }
});

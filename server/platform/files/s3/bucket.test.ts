import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { BUCKET, startBucket, type TestBucket } from '#server/testing/s3/bucket.ts';
import { ConfigError } from '../../settings/kinds.ts';
import { BlobsUnavailable } from '../blobs.ts';
import { s3Blobs } from './blobs.ts';
import { openBucket } from './bucket.ts';

let s3: TestBucket;
beforeAll(async () => {
  s3 = await startBucket();
});
afterEach(() => s3.break('none'));
afterAll(() => s3.close());

const PATIENT = { answerMs: 60_000, putMs: 60_000, stallMs: 500 };

const open = ({ secretAccessKey = 'S3RVER', bucket = BUCKET, limits = PATIENT } = {}) =>
  openBucket(
    { endpoint: s3.endpoint, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey },
    bucket,
    limits,
  );

it.each([
  ['is busy', { status: 503 }],
  ['fails', { status: 500 }],
  ['breaks the connection', 'refuse'],
] as const)('tries three times while S3 %s, then says so', async (_what, fault) => {
  const bucket = open();
  await bucket.put('m/a', Buffer.from('12345'));
  for (const call of [
    () => bucket.put('m/b', Buffer.from('1')),
    () => bucket.size('m/a'),
    () => bucket.read('m/a'),
    () => bucket.delete('m/a'),
    () => bucket.list('').next(),
  ]) {
    s3.break(fault);
    await expect(call()).rejects.toThrow(BlobsUnavailable);
    expect(s3.calls()).toHaveLength(3);
  }
  s3.break('none');
  expect(await bucket.size('m/b')).toBeNull();
  expect(await bucket.size('m/a')).toBe(5);
});

it('gives up a call whose answer does not come in time', async () => {
  const bucket = open({ limits: { answerMs: 500, putMs: 500, stallMs: 500 } });
  s3.break({ delayMs: 3000 });
  await expect(bucket.size('m/a')).rejects.toThrow('S3 did not answer within 0.5 s.');
  await expect(bucket.put('m/a', Buffer.from('1'))).rejects.toThrow('S3 did not answer within 0.5 s.');
});

it.each(['cut', 'stall'] as const)('never passes a part of a file off as the file (%s)', async (fault) => {
  const bucket = open();
  await bucket.put('m/long', Buffer.alloc(500_000, 'x'));
  s3.break(fault);
  const file = await bucket.read('m/long');
  expect(file?.size).toBe(500_000);
  await expect(text(file!.stream)).rejects.toThrow('S3 broke off a file');
  const part = await bucket.read('m/long', { start: 0, end: 99_999 });
  await expect(text(part!.stream)).rejects.toThrow('S3 broke off a file');
});

it('names the setting to correct, and no secret', async () => {
  const wrong = s3Blobs(open({ secretAccessKey: 'wrong-secret' }), '', async () => randomUUID());
  const refused = await wrong.check().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(String(refused)).toMatch(/403.*S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY/);
  expect(String(refused)).not.toContain('wrong-secret');
  const missing = s3Blobs(open({ bucket: 'no-such-bucket' }), '', async () => randomUUID());
  await expect(missing.check()).rejects.toThrow('S3_BUCKET names no-such-bucket, which does not exist.');
});

it('writes nothing into the bucket of another installation', async () => {
  const [own, other] = [randomUUID(), randomUUID()];
  const blobs = (prefix: string, id: string) => s3Blobs(open(), prefix, async () => id);
  await blobs('', own).check();
  await blobs('', own).put('m/a', Buffer.from('own'));
  const foreign = blobs('', other);
  await expect(foreign.check()).rejects.toThrow(/^S3_BUCKET belongs to another installation/);
  await expect(foreign.put('m/a', Buffer.from('other'))).rejects.toThrow('S3_BUCKET');
  await expect(foreign.delete('m/a')).rejects.toThrow('S3_BUCKET');
  expect(await text((await blobs('', own).read('m/a'))!.stream)).toBe('own');
  // A prefix is a place of its own.
  await blobs('other/', other).check();
  await expect(blobs('other/', own).check()).rejects.toThrow('S3_BUCKET with S3_PREFIX other/');
});

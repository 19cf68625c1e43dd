/** What every object store keeps to: files on this machine, and S3. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import { BUCKET, startBucket, type TestBucket } from '#server/testing/s3/bucket.ts';
import type { BlobStore } from './blobs.ts';
import { localBlobs } from './local-blobs.ts';
import { s3Blobs } from './s3/blobs.ts';
import { openBucket } from './s3/bucket.ts';

const directory = newTemporaryFolder('blobs');
let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(async () => {
  await bucket.close();
  await rm(directory, { recursive: true, force: true });
});

const STORES: Record<string, () => BlobStore> = {
  'a folder': () => localBlobs(directory),
  S3: () => inS3(''),
  'S3 with a prefix': () => inS3('openslot/files/'),
};

function inS3(prefix: string): BlobStore {
  const { endpoint } = bucket;
  const account = { endpoint, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  return s3Blobs(openBucket(account, BUCKET), prefix, async () => INSTALLATION);
}
const INSTALLATION = randomUUID();

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe.each(Object.keys(STORES))('the object store in %s', (name) => {
  let blobs: BlobStore;
  beforeAll(() => {
    blobs = STORES[name]!();
  });
  const textOf = async (key: string, range?: { start: number; end: number }) => {
    const file = await blobs.read(key, range);
    return file && { size: file.size, text: await text(file.stream) };
  };

  // Proves MED-14
  it('stores, reads, replaces and deletes files, also by range', async () => {
    await blobs.check();
    await blobs.put('uploads/a-b_c', Buffer.from('0123456789'));
    expect(await textOf('uploads/a-b_c')).toEqual({ size: 10, text: '0123456789' });
    expect(await blobs.size('uploads/a-b_c')).toBe(10);
    expect(await textOf('uploads/a-b_c', { start: 2, end: 4 })).toEqual({ size: 10, text: '234' });
    expect(await textOf('uploads/a-b_c', { start: 9, end: 9 })).toEqual({ size: 10, text: '9' });
    await blobs.put('uploads/a-b_c', Buffer.from('new'));
    expect(await textOf('uploads/a-b_c')).toEqual({ size: 3, text: 'new' });
    await blobs.delete('uploads/a-b_c');
    await blobs.delete('uploads/a-b_c');
    expect(await blobs.read('uploads/a-b_c')).toBeNull();
    expect(await blobs.read('uploads/a-b_c', { start: 0, end: 1 })).toBeNull();
    expect(await blobs.size('uploads/a-b_c')).toBeNull();
  });

  it('keeps every byte of large and empty files, and of names with each allowed character', async () => {
    const large = Buffer.alloc(5_000_001, Buffer.from(Array.from({ length: 251 }, (_, n) => n)));
    const key = 'm/AZaz09_-.tar.gz';
    await blobs.put(key, large);
    expect((await buffer((await blobs.read(key))!.stream)).equals(large)).toBe(true);
    const end = large.length - 1;
    const part = await blobs.read(key, { start: 4_999_999, end });
    expect((await buffer(part!.stream)).equals(large.subarray(4_999_999))).toBe(true);
    await blobs.put('m/empty', Buffer.alloc(0));
    expect(await textOf('m/empty')).toEqual({ size: 0, text: '' });
    await blobs.delete(key);
    await blobs.delete('m/empty');
  });

  it('keeps one complete version of a file that is written in parallel', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => String(n % 10).repeat(50_000));
    await Promise.all(texts.map((each) => blobs.put('m/same.png', Buffer.from(each))));
    expect(texts).toContain((await textOf('m/same.png'))?.text);
    await blobs.delete('m/same.png');
  });

  it('lists its files with their sizes, and nothing else', async () => {
    const keys = ['avatars/a.webp', 'm/a.png', 'm/b.png'];
    for (const each of keys) await blobs.put(each, Buffer.from('12'));
    const listed = await all(blobs.list());
    expect(listed.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    expect(new Set(listed.map(({ size }) => size))).toEqual(new Set([2]));
    for (const each of keys) await blobs.delete(each);
    expect(await all(blobs.list())).toEqual([]);
  });

  it('lets a reader leave in the middle of a file', async () => {
    await blobs.put('m/left', Buffer.alloc(3_000_000));
    const { stream } = (await blobs.read('m/left'))!;
    for await (const chunk of stream) {
      expect((chunk as Buffer).length).toBeGreaterThan(0);
      break;
    }
    expect(stream.destroyed).toBe(true);
    await blobs.delete('m/left');
  });

  // Proves OP-087
  it.each([
    '../secret',
    'uploads/../../secret',
    '/etc/passwd',
    'uploads/',
    'uploads/a/b',
    'uploads\\a',
    'a',
    'uploads/..',
    'uploads/.hidden',
    'uploads/a?b',
    'uploads/a%2f..',
    'uploads/ä',
  ])('refuses the key %s, which could leave the store', async (key) => {
    await expect(blobs.put(key, Buffer.from('x'))).rejects.toThrow('Not a blob key');
    await expect(blobs.read(key)).rejects.toThrow('Not a blob key');
    await expect(blobs.size(key)).rejects.toThrow('Not a blob key');
    await expect(blobs.delete(key)).rejects.toThrow('Not a blob key');
  });
});

it('lists more files than S3 lists in one answer', async () => {
  const blobs = inS3('many/');
  await blobs.check();
  const keys = Array.from({ length: 1005 }, (_, n) => `m/${n}.png`);
  for (let from = 0; from < keys.length; from += 50)
    await Promise.all(keys.slice(from, from + 50).map((key) => blobs.put(key, Buffer.from('12'))));
  const listed = await all(blobs.list());
  expect(listed.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
});

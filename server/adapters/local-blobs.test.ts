import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newTemporaryFolder } from '../testing/temporary.ts';
import type { BlobStore } from './blobs.ts';
import { localBlobs } from './local-blobs.ts';

let directory: string;
let blobs: BlobStore;
beforeAll(async () => {
  directory = newTemporaryFolder('blobs');
  blobs = localBlobs(directory);
});
afterAll(() => rm(directory, { recursive: true }));

const bytesOf = async (key: string, range?: { start: number; end: number }) => {
  const file = await blobs.read(key, range);
  return file ? Buffer.concat(await file.stream.toArray()).toString() : null;
};

// Proves MED-14
it('stores, reads, replaces and deletes files, also by range', async () => {
  await blobs.put('uploads/a-b_c', Buffer.from('0123456789'));
  expect(await bytesOf('uploads/a-b_c')).toBe('0123456789');
  expect(await bytesOf('uploads/a-b_c', { start: 2, end: 4 })).toBe('234');
  expect(await blobs.size('uploads/a-b_c')).toBe(10);
  await blobs.put('uploads/a-b_c', Buffer.from('new'));
  expect(await bytesOf('uploads/a-b_c')).toBe('new');
  await blobs.delete('uploads/a-b_c');
  await blobs.delete('uploads/a-b_c');
  expect(await blobs.read('uploads/a-b_c')).toBeNull();
  expect(await blobs.size('uploads/a-b_c')).toBeNull();
});

// Proves MED-14
it('keeps one complete version of a file that is written in parallel, and no temporary files', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(50_000));
  await Promise.all(texts.map((text) => blobs.put('m/same.png', Buffer.from(text))));
  expect(texts).toContain(await bytesOf('m/same.png'));
  expect(await readdir(path.join(directory, 'm'))).toEqual(['same.png']);
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
])('refuses the key %s, which could leave the directory', async (key) => {
  await expect(blobs.put(key, Buffer.from('x'))).rejects.toThrow('Not a blob key');
  await expect(blobs.read(key)).rejects.toThrow('Not a blob key');
  await expect(blobs.size(key)).rejects.toThrow('Not a blob key');
  await expect(blobs.delete(key)).rejects.toThrow('Not a blob key');
});

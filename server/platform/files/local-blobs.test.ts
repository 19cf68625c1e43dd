import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import { localBlobs } from './local-blobs.ts';

const directory = newTemporaryFolder('blobs');
afterAll(() => rm(directory, { recursive: true }));

// Proves MED-14
it('leaves no temporary files, also where a file is written in parallel', async () => {
  const blobs = localBlobs(directory);
  const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(50_000));
  await Promise.all(texts.map((text) => blobs.put('m/same.png', Buffer.from(text))));
  expect(await readdir(path.join(directory, 'm'))).toEqual(['same.png']);
});

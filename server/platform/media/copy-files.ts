import { buffer } from 'node:stream/consumers';
import type { BlobStore } from '../files/blobs.ts';

/** `bytes` are those of the copied files. `wrong` are the keys of files that were not the same when they were read back. */
export type Copied = { copied: number; same: number; bytes: number; wrong: string[] };

/** Each has one file in memory, of 50 MB at most, and reads another one to compare. */
const AT_ONCE = 4;

/**
 * Copies all files from one store to the other, which may be in use. It compares every byte, also of files that are there
 * already, and leaves other files alone, so it can be repeated. Throws BlobsUnavailable if a store fails.
 */
export async function copyFiles(from: BlobStore, to: BlobStore): Promise<Copied> {
  const result: Copied = { copied: 0, same: 0, bytes: 0, wrong: [] };
  const files = from.list()[Symbol.asyncIterator]();

  async function copyNext(): Promise<void> {
    for (;;) {
      const next = await files.next();
      if (next.done) return;
      await copy(next.value.key);
    }
  }

  async function copy(key: string): Promise<void> {
    const bytes = await bytesOf(from, key);
    // It was removed since it was listed.
    if (bytes === null) return;
    if ((await bytesOf(to, key))?.equals(bytes)) {
      result.same += 1;
      return;
    }
    await to.put(key, bytes);
    result.copied += 1;
    result.bytes += bytes.length;
    if (!(await bytesOf(to, key))?.equals(bytes)) result.wrong.push(key);
  }

  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
  return result;
}

async function bytesOf(store: BlobStore, key: string): Promise<Buffer | null> {
  const file = await store.read(key);
  return file && (await buffer(file.stream));
}

import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BlobStore } from './blobs.ts';

/** Keeps the object store as files below `directory`. */
export function localBlobs(directory: string): BlobStore {
  const fileOf = (key: string) => {
    if (!/^[a-z]+\/[A-Za-z0-9_.-]+$/.test(key) || key.includes('..'))
      throw new Error(`Not a blob key: ${key}`);
    return path.join(directory, key);
  };
  return {
    async put(key, bytes) {
      const file = fileOf(key);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      // A temporary file is written, synced and renamed, so that a crash leaves the complete file or none.
      const temporary = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}`;
      const handle = await open(temporary, 'w');
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, file);
      await syncDirectory(path.dirname(file));
    },
    async size(key) {
      return sizeOf(fileOf(key));
    },
    async read(key, range) {
      const file = fileOf(key);
      const size = await sizeOf(file);
      return size === null ? null : { size, stream: createReadStream(file, range) };
    },
    async delete(key) {
      await rm(fileOf(key), { force: true });
    },
  };
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Without this a power failure could undo the rename. Windows has no such call and does not need it. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

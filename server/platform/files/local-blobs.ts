import { createReadStream, type Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type BlobStore, isBlobKey, requireBlobKey } from './blobs.ts';

/** Keeps the object store as files below `directory`. */
export function localBlobs(directory: string): BlobStore {
  const fileOf = (key: string) => {
    requireBlobKey(key);
    return path.join(directory, key);
  };
  return {
    async check() {},
    async put(key, bytes) {
      const file = fileOf(key);
      const folder = path.dirname(file);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // A temporary file is written, synced and renamed, so that a crash leaves the complete file or none. Its name is no
      // key, because it begins with a dot.
      const random = Math.random().toString(36).slice(2);
      const temporary = path.join(folder, `.${path.basename(file)}.${process.pid}-${random}`);
      const handle = await open(temporary, 'w');
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, file);
      await syncDirectory(folder);
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
    async *list() {
      for (const folder of await entriesOf(directory)) {
        if (!folder.isDirectory()) continue;
        for (const file of await entriesOf(path.join(directory, folder.name))) {
          const key = `${folder.name}/${file.name}`;
          const size = file.isFile() && isBlobKey(key) ? await sizeOf(fileOf(key)) : null;
          if (size !== null) yield { key, size };
        }
      }
    },
  };
}

async function sizeOf(file: string): Promise<number | null> {
  return await stat(file).then(({ size }) => size, absent(null));
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch(absent<Dirent[]>([]));
}

/** Answers a missing file or folder with `otherwise`. */
function absent<T>(otherwise: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  };
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

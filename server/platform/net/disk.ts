import { statfs } from 'node:fs/promises';

/** The bytes of a disk that a program without privileges can still write, and all of its bytes. */
export type Disk = { freeBytes: number; sizeBytes: number };

/** The disk of `folder`. Null if it cannot be asked. */
export async function findDisk(folder: string): Promise<Disk | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** Below this, uploads, an embedded database and its log may fail at any moment. */
const NEEDED_BYTES = 100 * 1024 ** 2;

/** A sentence if the disk of `folder`, which is DATA_DIR, is full or nearly so; else null. */
export async function findDiskProblem(folder: string): Promise<string | null> {
  const disk = await findDisk(folder);
  if (disk === null || disk.freeBytes >= NEEDED_BYTES) return null;
  return `The disk of DATA_DIR has ${Math.floor(disk.freeBytes / 1024 ** 2)} MB left. Make room there, or give it a larger disk.`;
}

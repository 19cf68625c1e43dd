/** Disks of the fleet as file systems in memory, which can be filled. */
import { execFile } from 'node:child_process';
import { mkdir, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export async function mountDisk(folder: string, megabytes: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'openslot-fleet', folder]);
}

export async function unmountDisk(folder: string): Promise<void> {
  await run('umount', ['--lazy', folder]);
}

const fillerOf = (folder: string) => path.join(folder, 'filler');

/** Leaves no room on the disk. */
export async function fillDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await run('fallocate', ['--length', String(bavail * bsize), fillerOf(folder)]);
}

export async function clearDisk(folder: string): Promise<void> {
  await rm(fillerOf(folder), { force: true });
}

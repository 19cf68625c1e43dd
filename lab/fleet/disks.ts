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

/** Leaves no room on the disk, also if its program writes meanwhile. */
export async function fillDisk(folder: string): Promise<void> {
  // The command fails when nothing fits any more.
  await run('dd', ['if=/dev/zero', `of=${fillerOf(folder)}`, 'bs=1M']).catch(() => {});
  if ((await statfs(folder)).bavail > 0) throw new Error(`${folder} is not full`);
}

export async function clearDisk(folder: string): Promise<void> {
  await rm(fillerOf(folder), { force: true });
}

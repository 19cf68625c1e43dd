import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '#server/platform/database/embedded/process.ts';

const MEMORY = '/dev/shm';
/** A run with eight workers needs about a quarter of this. */
const NEEDED_BYTES = 4 * 2 ** 30;
/** The file in a checkout's folder that names the checkout. */
const OWNER = 'checkout.txt';

/**
 * The folder for databases and other files of tests: in memory if there is room, otherwise the system's folder for
 * temporary files. Copying a database in memory takes a tenth of the processor time.
 */
function home(): string {
  return freeBytes(MEMORY) >= NEEDED_BYTES ? MEMORY : os.tmpdir();
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/**
 * Makes a new folder, which the caller deletes. Every account may enter it. Otherwise a server that runs as root would
 * move the database to /var/lib/openslot, because PostgreSQL's account could not enter the folder.
 */
export function newTemporaryFolder(purpose: string): string {
  const folder = mkdtempSync(path.join(home(), `openslot-${purpose}-${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Mounts a new, empty disk of this size, which lies in memory. Returns its folder, which the caller deletes with
 * removeFolder(), or null if this account may not mount.
 */
export function mountSmallDisk(purpose: string, megabytes: number): string | null {
  const folder = newTemporaryFolder(purpose);
  const options = `size=${megabytes}m,mode=755`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'openslot', folder]).status === 0) return folder;
  removeFolder(folder);
  return null;
}

/** The reason of tests that are skipped, because mountSmallDisk() returned null. */
export const NO_SMALL_DISK = 'needs a small disk, and this account may not mount one; root on Linux may';

/** Uses up the room of the disk with a file, which is returned and which the caller deletes. */
export function fillDisk(disk: string): string {
  const file = path.join(disk, 'ballast');
  const ballast = openSync(file, 'w');
  try {
    for (const length of [1_000_000, 1000, 1]) {
      const bytes = Buffer.alloc(length);
      while (isWritten(ballast, bytes));
    }
  } finally {
    closeSync(ballast);
  }
  return file;
}

function isWritten(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

/** Deletes a folder, which may be a small disk or, as a fleet's, have small disks in it. */
export function removeFolder(folder: string): void {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const each of [...inside.map(({ name }) => path.join(folder, name)), folder]) {
    const isMounted = statSync(each).dev !== statSync(path.dirname(each)).dev;
    // Lazily, because a process that is about to end may still use it.
    if (isMounted) spawnSync('umount', ['--lazy', each]);
  }
  rmSync(folder, { recursive: true, force: true });
}

/** The folder of this checkout. It outlives the test run, but not the computer's memory. */
export function folderOfCheckout(checkout: string): string {
  const hash = createHash('sha256').update(checkout).digest('hex').slice(0, 16);
  const folder = path.join(home(), `openslot-tests-${hash}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  writeFileSync(path.join(folder, OWNER), checkout);
  return folder;
}

/** Deletes the folders that killed processes left behind, and those of checkouts that are gone. */
export function sweepTemporaryFolders(): void {
  for (const name of readdirSync(home())) {
    const folder = path.join(home(), name);
    const [, pid] = /^openslot-\w+-(\d+)-\w+$/.exec(name) ?? [];
    const isLeft = pid !== undefined && !isAlive(Number(pid));
    if (isLeft || isOfGoneCheckout(folder)) removeFolder(folder);
  }
}

function isOfGoneCheckout(folder: string): boolean {
  if (!/[/\\]openslot-tests-[0-9a-f]{16}$/.test(folder)) return false;
  try {
    return !existsSync(readFileSync(path.join(folder, OWNER), 'utf8'));
  } catch {
    return false;
  }
}

const maxAgeMillis = 3_600_000;

/** A name that contains the time, so that a later run can drop the database if this run is killed. */
export function newDatabaseName(now: number): string {
  return `test_${now.toString(36)}_${randomBytes(8).toString('hex')}`;
}

/** Whether this is a test database that is too old to be in use. */
export function isForgotten(name: string, now: number): boolean {
  const createdAt = /^test_([0-9a-z]+)_[0-9a-f]{16}$/.exec(name)?.[1];
  return createdAt !== undefined && now - parseInt(createdAt, 36) > maxAgeMillis;
}

/** The address of another database on the same server. */
export function addressOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

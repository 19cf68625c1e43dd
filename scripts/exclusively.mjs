import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs `work` while no other process runs its own under the same lock file. A killed holder's file is taken over.
 * @param {string} file
 * @param {() => Promise<void>} work
 */
export async function exclusively(file, work) {
  while (!take(file)) {
    if (!isHeld(file)) rmSync(file, { force: true });
    else await pause(100);
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** @param {string} file */
function isHeld(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // Empty while its owner is about to write the number.
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

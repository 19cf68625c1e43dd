import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs `work` while it holds the lock file, so that only one process at a time does so. Takes over the file of a process
 * that was killed.
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
    // The file is empty until its owner has written its process id.
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

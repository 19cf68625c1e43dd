/** Keeps the data directory to the account that owns it. */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The folders that Openslot and its file system make there, copies of PostgreSQL's programs among them. */
const OWN_FOLDERS = /^(postgres|uploads|lost\+found|(linux|darwin|windows)-.+)$/;
const OWNER_ONLY = 0o700;
const EVERYBODY_ELSE = 0o077;

/**
 * Makes the data directory and returns its path without links. Only its owner can enter it and the uploads, also where
 * they existed before and were open to every account.
 */
export function makeDataDirectory(directory: string, log: (line: string) => void): string {
  mkdirSync(directory, { recursive: true, mode: OWNER_ONLY });
  const real = realpathSync(directory);
  const uploads = path.join(real, 'uploads');
  if (isOurs(real)) closeToOthers(real, log);
  if (existsSync(uploads)) closeToOthers(uploads, log);
  return real;
}

/** False for a folder that others use as well, such as `/srv`. It keeps its owner and its permissions. */
export function isOurs(directory: string): boolean {
  return readdirSync(directory, { withFileTypes: true }).every(
    (entry) => !entry.isDirectory() || OWN_FOLDERS.test(entry.name),
  );
}

function closeToOthers(folder: string, log: (line: string) => void): void {
  const status = lstatSync(folder);
  // Windows has no such permissions. A link leads to a folder whose permissions the operator chose.
  if (process.platform === 'win32' || status.isSymbolicLink() || (status.mode & EVERYBODY_ELSE) === 0) return;
  try {
    chmodSync(folder, OWNER_ONLY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    log(
      `Other accounts of this machine may read ${folder}, and its permissions cannot be changed (${code}).`,
    );
  }
}

/** The built-in database cannot be used. The message tells the operator why, and what to do. */
export class DatabaseUnusable extends Error {}

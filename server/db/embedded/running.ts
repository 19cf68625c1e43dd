import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SERVER_PASSWORD_FILE, serverRole } from './cluster.ts';
import { isAlive, runsCluster } from './process.ts';

/**
 * The server's address of a database of the embedded PostgreSQL in `dataDir`, as long as it runs; null otherwise. Reads files only, so
 * that a second program can use the database without starting or stopping anything.
 */
export function findRunning(dataDir: string, database: string): string | null {
  const home = homeOf(dataDir);
  const data = path.join(home, 'data');
  const lines = readLines(path.join(data, 'postmaster.pid'));
  const password = readLines(path.join(home, SERVER_PASSWORD_FILE))[0] ?? '';
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!(port > 0) || password === '' || !isAlive(pid) || !runsCluster(pid, data)) return null;
  return `postgres://${serverRole}:${password}@127.0.0.1:${port}/${database}`;
}

/** Whether an embedded database was ever created for `dataDir`. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(path.join(homeOf(dataDir), 'data'));
}

function homeOf(dataDir: string): string {
  const note = path.join(path.resolve(dataDir), 'postgres-is-in.txt');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : path.join(path.resolve(dataDir), 'postgres');
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

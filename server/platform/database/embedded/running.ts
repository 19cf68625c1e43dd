import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { owner, OWNER_PASSWORD_FILE, SERVER_PASSWORD_FILE, serverRole } from './cluster.ts';
import { isAlive, runsCluster } from './process.ts';

/**
 * The address of a database of the embedded PostgreSQL in `dataDir` as long as it runs, with the role of the server or the
 * one that owns the databases; null otherwise. Reads files only, so that a second program can use the database without
 * starting or stopping anything.
 */
export function findRunning(
  dataDir: string,
  database: string,
  role: 'server' | 'owner' = 'server',
): string | null {
  const home = homeOf(dataDir);
  const data = path.join(home, 'data');
  const lines = readLines(path.join(data, 'postmaster.pid'));
  const [name, file] = role === 'server' ? [serverRole, SERVER_PASSWORD_FILE] : [owner, OWNER_PASSWORD_FILE];
  const password = readLines(path.join(home, file))[0] ?? '';
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!(port > 0) || password === '' || !isAlive(pid) || !runsCluster(pid, data)) return null;
  return `postgres://${name}:${password}@127.0.0.1:${port}/${database}`;
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

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Sends SIGKILL to every process of the embedded PostgreSQL of this DATA_DIR. */
export function killPostgres(dataDir: string): void {
  for (const pid of processesOf(postmasterOf(dataDir))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended with its parent.
    }
  }
}

/** The process id of the embedded PostgreSQL of this DATA_DIR. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(path.join(clusterBelow(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function processesOf(postmaster: number): number[] {
  const children = execFileSync('ps', ['--ppid', String(postmaster), '-o', 'pid='], { encoding: 'utf8' });
  return [postmaster, ...children.trim().split(/\s+/).map(Number)];
}

function clusterBelow(dataDir: string): string {
  const found = execFileSync('find', [dataDir, '-name', 'postmaster.pid'], { encoding: 'utf8' }).trim();
  return path.dirname(found);
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Sends SIGKILL to every process of the embedded PostgreSQL of this DATA_DIR. */
export function killPostgres(dataDir: string): void {
  for (const pid of processesOf(clusterBelow(dataDir))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended with its parent.
    }
  }
}

function processesOf(cluster: string): number[] {
  const postmaster = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = execFileSync('ps', ['--ppid', String(postmaster), '-o', 'pid='], { encoding: 'utf8' });
  return [postmaster, ...children.trim().split(/\s+/).map(Number)];
}

function clusterBelow(dataDir: string): string {
  const found = execFileSync('find', [dataDir, '-name', 'postmaster.pid'], { encoding: 'utf8' }).trim();
  return path.dirname(found);
}

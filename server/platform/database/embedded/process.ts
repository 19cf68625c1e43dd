import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether a process with this id exists, under any account. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether this process is the PostgreSQL server of the cluster in `data`. True if the system does not say. */
export function runsCluster(pid: number, data: string): boolean {
  const command = commandLine(pid);
  return command === undefined || command.includes(data);
}

function commandLine(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (process.platform === 'win32') return undefined;
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

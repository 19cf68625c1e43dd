import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

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

/** Systems give outgoing connections a port from 32768 on. One of them could take the port before its server listens. */
const [FIRST, END] = [20_000, 32_768];

/** Returns a TCP port of 127.0.0.1 that is free at this moment: the `wanted` one if possible. */
export async function freePort(wanted = 0): Promise<number> {
  const port = wanted || randomInt(FIRST, END);
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error: NodeJS.ErrnoException) => {
      if (wanted === 0 && error.code !== 'EADDRINUSE') reject(error);
      else resolve(freePort());
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}

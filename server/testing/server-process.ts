import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DEV_KEY } from './client.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Where Node keeps the compiled modules of the server. They halve the processor time of its start. */
export const COMPILED = path.join(ROOT, '.cache/compiled');

/** The server in its own process, as an operator runs it. */
export type ServerProcess = {
  child: ChildProcess;
  /** Everything it has printed so far. */
  output: () => string;
  /** Resolves with the exit code once it has ended. */
  ended: Promise<number | null>;
  /** Sends `signal` and waits for the end, also of a process that a test had halted. */
  stop: (signal: NodeJS.Signals) => Promise<number | null>;
};

export function spawnServer(env: Record<string, string>): ServerProcess {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: COMPILED, DEV_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    output: () => output,
    ended,
    stop: async (signal) => {
      child.kill(signal);
      child.kill('SIGCONT');
      return await ended;
    },
  };
}

/**
 * Resolves when the server has announced itself and its health check succeeds. Throws with the server's output if the
 * process exits first. It reads the output, because a refused request every 50 ms costs as much as the start itself.
 */
export async function ready(server: Pick<ServerProcess, 'child' | 'output'>, url: string): Promise<void> {
  while (!(server.output().includes('Openslot is ready') && (await isHealthy(url)))) {
    if (server.child.exitCode !== null || server.child.signalCode !== null) {
      throw new Error(`The server exited before it was ready:\n${server.output()}`);
    }
    await pause(50);
  }
}

async function isHealthy(url: string): Promise<boolean> {
  return await fetch(`${url}/api/health`).then(
    (response) => response.status === 200,
    () => false,
  );
}

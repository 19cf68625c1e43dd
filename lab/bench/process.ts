/** Starts the programs of the bench, each pinned to a core. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** The server and its database run on one core, the load on another. */
export const SERVER_CORE = '0';
export const LOAD_CORE = '1';

/** Starts a script of this folder and waits for its first message. The script exits when this program does. */
export async function start(
  script: string,
  ...args: string[]
): Promise<{ child: ChildProcess; ready: unknown }> {
  const child = spawn(
    'taskset',
    ['-c', SERVER_CORE, process.execPath, path.join(import.meta.dirname, script), ...args],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' },
    },
  );
  const ready = await Promise.race([
    once(child, 'message').then(([message]: unknown[]) => message),
    once(child, 'exit').then(([code]: unknown[]) => {
      throw new Error(`${script} ended with ${String(code)} before it was ready`);
    }),
  ]);
  return { child, ready };
}

/** Sends a message and waits for the answer. */
export async function ask(child: ChildProcess, message: object): Promise<unknown> {
  const answered = once(child, 'message');
  child.send(message);
  const [answer] = (await answered) as unknown[];
  return answer;
}

export async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

/** In a program that `start` has started: ends it with the bench, after `close`. */
export function endWithBench(close: () => Promise<unknown>): void {
  process.on('disconnect', () => void close().then(() => process.exit(0)));
}

/** Runs a program of this folder and parses its output as JSON. */
export async function runOnLoadCore(script: string, args: string[]): Promise<unknown> {
  const child = spawn(
    'taskset',
    ['-c', LOAD_CORE, process.execPath, path.join(import.meta.dirname, script), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return JSON.parse(text);
}

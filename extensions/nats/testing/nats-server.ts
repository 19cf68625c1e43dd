/** Runs a real nats-server for tests: the program in NATS_SERVER_PATH, else the system's, else the one in .cache. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../../server/platform/database/embedded/process.ts';

const run = promisify(execFile);
/** Where `npm test` unpacks Debian's package, see scripts/test-programs.ts. */
export const NATS_CACHE = path.resolve(import.meta.dirname, '../../../.cache/nats-server');

export const NATS_ADVICE =
  'NOT RUN: no nats-server here. Set NATS_SERVER_PATH, or install one (Debian: apt-get install nats-server)';

export type NatsServer = {
  port: number;
  url: string;
  /** EVENT_LOG_MONITOR_URL. */
  monitorUrl: string;
  /** Starts the server again on the same port and with its stored data. */
  start: () => Promise<void>;
  /** Sends a signal and waits until the process has exited or is stopped. */
  signal: (name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => Promise<void>;
  /** Kills the server and deletes its data. */
  close: () => Promise<void>;
};

let found: Promise<string | null> | undefined;

/** Returns the program, or null if there is none. */
async function findNatsServer(): Promise<string | null> {
  found ??= searchNatsServer();
  return await found;
}

/**
 * Returns whether tests with NATS can run here. If they cannot, `note` is for their titles and says what to install. On CI
 * this function throws instead, because a skipped suite would go unnoticed there.
 */
export async function natsIsHere(): Promise<{ here: boolean; note: string }> {
  const here = (await findNatsServer()) !== null;
  if (!here && process.env['CI']) throw new Error(NATS_ADVICE);
  return { here, note: here ? '' : ` (${NATS_ADVICE})` };
}

/** Searches again, for example after an installation. Throws if the program in NATS_SERVER_PATH does not start. */
export async function searchNatsServer(): Promise<string | null> {
  const named = process.env['NATS_SERVER_PATH'];
  if (named) {
    if (await starts(named)) return named;
    throw new Error(
      `NATS_SERVER_PATH is ${named}, which does not start. Set it to a nats-server that starts, or unset it.`,
    );
  }
  const places = ['nats-server', '/usr/sbin/nats-server', path.join(NATS_CACHE, 'usr/sbin/nats-server')];
  for (const program of places) if (await starts(program)) return program;
  return null;
}

/** Whether the program knows `sync_interval`, which came with 2.10. */
export async function natsCanSync(): Promise<boolean> {
  const program = await findNatsServer();
  if (program === null) return false;
  const { stdout } = await run(program, ['--version']);
  const [, major, minor] = /v(\d+)\.(\d+)\./.exec(stdout) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
}

async function starts(program: string): Promise<boolean> {
  return await run(program, ['--version'], { timeout: 60_000 }).then(
    () => true,
    () => false,
  );
}

/** Starts a server on a free port, with a new data folder. `flags` are added to its arguments, and `env` to its environment. */
export async function startNats(
  flags: string[] = ['-js'],
  env: Record<string, string> = {},
): Promise<NatsServer> {
  const program = await findNatsServer();
  if (program === null) throw new Error(NATS_ADVICE);
  const store = mkdtempSync(path.join(os.tmpdir(), 'openslot-nats-'));
  const [port, monitorPort] = [await freePort(), await freePort()];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const args = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitorPort), '-sd', store, ...flags];
    child = spawn(program as string, args, { stdio: 'ignore', env: { ...process.env, ...env } });
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
      await pause(20);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  await start();
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    monitorUrl: `http://127.0.0.1:${monitorPort}`,
    start,
    signal: async (name) => {
      if (name === 'SIGKILL') await end(name);
      else child?.kill(name);
      while (name === 'SIGSTOP' && !(await isStopped(child?.pid))) await pause(5);
    },
    close: async () => {
      await end('SIGKILL');
      rmSync(store, { recursive: true, force: true });
    },
  };
}

async function isStopped(pid: number | undefined): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(pid)]);
  return stdout.trim().startsWith('T');
}

/** Whether a NATS server answers on this port. */
async function answers(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('INFO'));
    });
    socket.once('error', () => resolve(false));
  });
}

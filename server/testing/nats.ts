/**
 * A real nats-server for tests. The first that starts: NATS_SERVER_PATH -> the system's -> Debian's package, unpacked
 * into .cache and not installed, so that nothing of the machine changes and no service of it begins to run.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../db/free-port.ts';

const run = promisify(execFile);
const cache = path.resolve(import.meta.dirname, '../../.cache/nats-server');

const ADVICE =
  'NOT RUN: no nats-server here. Set NATS_SERVER_PATH, or install one (Debian: apt-get install nats-server)';

export type NatsServer = {
  port: number;
  url: string;
  /** Starts the server again on the same port and with its stored data. */
  start: () => Promise<void>;
  /** Sends a signal and waits until the process has exited or is stopped. */
  signal: (name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => Promise<void>;
  /** Kills the server and deletes its data. */
  close: () => Promise<void>;
};

let found: Promise<string | null> | undefined;

/** The program, or null where none can be had; then that is said in the output, once. */
async function findNatsServer(): Promise<string | null> {
  found ??= search();
  return await found;
}

/** Whether tests over NATS can run here; `note` says in their names that they did not, and what to do. */
export async function natsIsHere(): Promise<{ here: boolean; note: string }> {
  const here = (await findNatsServer()) !== null;
  return { here, note: here ? '' : ` (${ADVICE})` };
}

async function search(): Promise<string | null> {
  const named = process.env['NATS_SERVER_PATH'];
  if (named) {
    if (await starts(named)) return named;
    throw new Error(`NATS_SERVER_PATH is ${named}, which does not start.`);
  }
  for (const program of ['nats-server', '/usr/sbin/nats-server']) if (await starts(program)) return program;
  const unpacked = path.join(cache, 'usr/sbin/nats-server');
  if (!existsSync(unpacked)) await unpackPackage();
  if (await starts(unpacked)) return unpacked;
  console.warn(ADVICE);
  return null;
}

async function starts(program: string): Promise<boolean> {
  return await run(program, ['--version'], { timeout: 15_000 }).then(
    () => true,
    () => false,
  );
}

/** What fails shows in the next step: no program, hence the advice. */
async function unpackPackage(): Promise<void> {
  if (!existsSync('/usr/bin/apt-get')) return;
  const draft = `${cache}.${process.pid}`;
  await mkdir(draft, { recursive: true, mode: 0o755 });
  const download = async () => await run('apt-get', ['-q', 'download', 'nats-server'], { cwd: draft });
  try {
    await download().catch(async () => {
      // A new machine has no lists of packages yet; only root may fetch them.
      await run('apt-get', ['-q', 'update']);
      await download();
    });
    await run('/bin/sh', ['-c', 'dpkg -x ./*.deb . && rm ./*.deb'], { cwd: draft });
    await rename(draft, cache);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Starts one on a free port, with a folder of its own. `flags` are added to its arguments. */
export async function startNats(flags: string[] = ['-js']): Promise<NatsServer> {
  const program = await findNatsServer();
  if (program === null) throw new Error(ADVICE);
  const store = mkdtempSync(path.join(os.tmpdir(), 'openslot-nats-'));
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const args = ['-a', '127.0.0.1', '-p', String(port), '-sd', store, ...flags];
    child = spawn(program as string, args, { stdio: 'ignore' });
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

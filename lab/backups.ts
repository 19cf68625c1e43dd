/**
 * `npm run -s lab backups` backs up a server while clients ask for ads and report views, restores the backup into
 * another installation, and proves what came back: no request was refused, every view that was acknowledged before the
 * backup is there, the books hold, and nothing leaves the restored server for a while, and all of it after the release.
 * Exits with 1 otherwise. Usage: `npm run -s lab backups -- [--views PER_SECOND] [--silence SECONDS]`
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { findRunning } from '../server/platform/database/embedded/running.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { build } from '../scripts/build.mjs';
import { failuresOf, sendTo, type Server, startLoad, startServer, stopServer, zoneWithAd } from './load.ts';
import { findNode, root } from '../scripts/node.mjs';

const { values } = parseArgs({
  options: { views: { type: 'string', default: '500' }, silence: { type: 'string', default: '180' } },
});
const VIEWS_PER_SECOND = Number(values.views);
const SILENCE_S = Number(values.silence);
const LOAD_BEFORE_S = 10;
const RELEASED_WITHIN_S = 60;
/** A relay that is not there, so that mail waits. */
const NO_RELAY = 'smtp://127.0.0.1:9';

type Installation = { dataDir: string; port: number; env: NodeJS.ProcessEnv };

const node = findNode() ?? process.execPath;
const folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-backups-'));
const problems: string[] = [];
const up: Server[] = [];

try {
  await build();
  await prove();
} finally {
  for (const server of up) if (server.child.exitCode === null) await stopServer(server);
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'All of it holds.' : 'It does not hold.');
process.exitCode = problems.length === 0 ? 0 : 1;

async function prove(): Promise<void> {
  const source = await installation('source', NO_RELAY);
  const server = await start(source);
  const zone = await connected(source, zoneWithAd);
  await signUp(source);
  const before = await countViews(source);
  const { counts, end } = startLoad(
    sendTo(() => source.port),
    { zone, viewsPerSecond: VIEWS_PER_SECOND },
  );
  const views = () => counts.get('view 204') ?? 0;
  await pause(LOAD_BEFORE_S * 1000);

  const acknowledged = views();
  const began = performance.now();
  const made = await openslot<{ backup: string; seconds: number; bytes: number; counts: object }>(source, [
    'backup',
    '--to',
    path.join(folder, 'backups'),
  ]);
  const seconds = (performance.now() - began) / 1000;
  const during = views() - acknowledged;
  console.log(`Backup: ${made.seconds} s, ${made.bytes} bytes, ${JSON.stringify(made.counts)}`);
  console.log(`Views during the command: ${during} in ${seconds.toFixed(1)} s`);
  const proof = await openslot<{ holds: boolean; seconds: number }>(source, [
    'backup',
    'verify',
    '--from',
    made.backup,
  ]);
  console.log(`Proof under load: ${JSON.stringify(proof)}`);
  await end();
  await stopServer(server);
  console.log(`Answers: ${JSON.stringify(Object.fromEntries(counts))}`);
  problems.push(...failuresOf(counts));

  const relay = await listen();
  const target = await installation('target', `smtp://127.0.0.1:${relay.port}`);
  await openslot(target, ['restore', '--from', made.backup]);
  const books = await openslot<{ holds: boolean }>(target, ['money', 'check']);
  if (!books.holds) problems.push('The books of the restored installation do not hold.');
  await start(target);
  const restored = (await countViews(target)) - before;
  console.log(`Views acknowledged before the backup: ${acknowledged}; views that came back: ${restored}`);
  if (restored < acknowledged) problems.push(`${acknowledged - restored} acknowledged views are missing.`);

  console.log(`Held: ${JSON.stringify(await openslot(target, ['outbound', 'status']))}`);
  await pause(SILENCE_S * 1000);
  console.log(`The relay heard ${relay.calls()} calls in ${SILENCE_S} s`);
  if (relay.calls() > 0) problems.push('Mail left the restored installation before it was released.');
  await openslot(target, ['outbound', 'release', '--reason', 'The proof is over']);
  const released = performance.now();
  while (relay.calls() === 0 && performance.now() - released < RELEASED_WITHIN_S * 1000) await pause(200);
  console.log(
    `After the release it heard ${relay.calls()} calls in ${Math.round((performance.now() - released) / 1000)} s`,
  );
  if (relay.calls() === 0) problems.push('No mail left the restored installation after the release.');
  relay.close();
}

async function installation(name: string, smtpUrl: string): Promise<Installation> {
  const dataDir = path.join(folder, name);
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    DATA_DIR: dataDir,
    SMTP_URL: smtpUrl,
    SESSION_SECRET: 'the same secret for both installations',
  };
  return { dataDir, port, env };
}

async function start({ port, env }: Installation): Promise<Server> {
  const server = await startServer(root, port, env);
  up.push(server);
  return server;
}

/** Fails with what the command printed. */
async function openslot<T = unknown>({ env }: Installation, words: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(node, ['server/app/openslot.ts', ...words, '--json'], {
    cwd: root,
    env,
  });
  return JSON.parse(stdout) as T;
}

async function connected<T>({ dataDir }: Installation, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: findRunning(dataDir, 'openslot') ?? '' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function countViews(of: Installation): Promise<number> {
  const text = `select count(*)::int as views from ad_events where kind = 'view'`;
  const { rows } = await connected(of, async (client) => await client.query<{ views: number }>(text));
  return rows[0]!.views;
}

/** Queues a mail with a code. */
async function signUp({ port }: Installation): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
    body: JSON.stringify({
      email: 'new@openslot.test',
      password: 'A password of the proof 1!',
      firstName: 'Nia',
      lastName: 'Wood',
      role: 'buyer',
    }),
  });
  if (status !== 201) throw new Error(`The sign-up answered ${status}.`);
}

/** Counts the calls to a port that answers nothing. */
async function listen(): Promise<{ port: number; calls: () => number; close: () => void }> {
  let calls = 0;
  const sockets = new Set<net.Socket>();
  const listener = net.createServer((socket) => {
    calls += 1;
    sockets.add(socket);
    socket.on('error', () => {});
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as net.AddressInfo).port,
    calls: () => calls,
    close: () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}

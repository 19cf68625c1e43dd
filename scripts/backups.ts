/**
 * `npm run -s tool backups` backs up a server while clients ask for ads and report views, restores the backup into
 * another installation, and proves what came back: no request was refused, every view that was acknowledged before the
 * backup is there, the books hold, and nothing leaves the restored server for a while, and all of it after the release.
 * Exits with 1 otherwise. Usage: `npm run -s tool backups -- [--views PER_SECOND] [--silence SECONDS]` [OPS-67]
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { findRunning } from '../server/db/embedded/running.ts';
import { freePort } from '../server/db/free-port.ts';
import { build } from './build.mjs';
import { findNode, root } from './node.mjs';

const { values } = parseArgs({
  options: { views: { type: 'string', default: '500' }, silence: { type: 'string', default: '180' } },
});
const VIEWS_PER_SECOND = Number(values.views);
const SILENCE_S = Number(values.silence);
/** Each has one request under way. */
const CLIENTS = 64;
const LOAD_BEFORE_S = 10;
const RELEASED_WITHIN_S = 60;
const ORIGIN = 'https://reader.example';
const HEADERS = { origin: ORIGIN, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
/** A relay that is not there, so that mail waits. */
const NO_RELAY = 'smtp://127.0.0.1:9';

type Installation = { dataDir: string; port: number; env: NodeJS.ProcessEnv };

const node = findNode() ?? process.execPath;
const folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-backups-'));
const problems: string[] = [];
const up: ChildProcess[] = [];
let isOver = false;
/** By the HTTP status of the answer. */
const answers = new Map<string, number>();

try {
  await build();
  await prove();
} finally {
  isOver = true;
  for (const child of up) if (child.exitCode === null) await stop(child);
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'All of it holds.' : 'It does not hold.');
process.exitCode = problems.length === 0 ? 0 : 1;

async function prove(): Promise<void> {
  const source = await installation('source', NO_RELAY);
  const server = await start(source);
  const [row] = await query<{ zone: string }>(
    source,
    `select z.public_id as zone from ads a join ad_zones z on z.id = a.ad_zone_id where a.status = 'active' and z.is_active limit 1`,
  );
  await signUp(source);
  const before = await countViews(source);
  const clients = Array.from({ length: CLIENTS }, () => views(source, row!.zone));
  await pause(LOAD_BEFORE_S * 1000);

  const acknowledged = answers.get('204') ?? 0;
  const began = performance.now();
  const made = await openslot<{ backup: string; seconds: number; bytes: number; counts: object }>(source, [
    'backup',
    '--to',
    path.join(folder, 'backups'),
  ]);
  const seconds = (performance.now() - began) / 1000;
  const during = (answers.get('204') ?? 0) - acknowledged;
  console.log(`Backup: ${made.seconds} s, ${made.bytes} bytes, ${JSON.stringify(made.counts)}`);
  console.log(`Views during the command: ${during} in ${seconds.toFixed(1)} s`);
  const proof = await openslot<{ holds: boolean; seconds: number }>(source, [
    'backup',
    'verify',
    '--from',
    made.backup,
  ]);
  console.log(`Proof under load: ${JSON.stringify(proof)}`);
  isOver = true;
  await Promise.all(clients);
  await stop(server);
  console.log(`Answers to views: ${JSON.stringify(Object.fromEntries(answers))}`);
  for (const [status, count] of answers)
    if (status !== '204') problems.push(`${count} requests ended with ${status}.`);

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
    RATE_LIMIT_FACTOR: '1000000',
    SESSION_SECRET: 'the same secret for both installations',
  };
  return { dataDir, port, env };
}

async function start({ port, env }: Installation): Promise<ChildProcess> {
  const child = spawn(node, ['server/main.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  up.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const isReady = async () =>
    await fetch(`http://127.0.0.1:${port}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`);
    await pause(100);
  }
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}

/** Fails with what the command printed. */
async function openslot<T = unknown>({ env }: Installation, words: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(node, ['server/openslot.ts', ...words, '--json'], {
    cwd: root,
    env,
  });
  return JSON.parse(stdout) as T;
}

async function query<Row extends pg.QueryResultRow>({ dataDir }: Installation, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: findRunning(dataDir, 'openslot') ?? '' });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function countViews(of: Installation): Promise<number> {
  const [row] = await query<{ views: number }>(
    of,
    `select count(*)::int as views from ad_events where kind = 'view'`,
  );
  return row!.views;
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

async function views({ port }: Installation, zone: string): Promise<void> {
  const every = (1000 * CLIENTS) / VIEWS_PER_SECOND;
  let due = performance.now() + Math.random() * every;
  while (!isOver) {
    await pause(Math.max(0, due - performance.now()));
    due += every;
    const status = await view(port, zone).catch((error: unknown) => String(error));
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
}

/** Asks for an ad, and reports it as seen. Returns the status of the report. */
async function view(port: number, zone: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/serve/ads?z=${zone}`, { headers: HEADERS });
  const { ads } = (await answer.json()) as { ads: { view?: string }[] };
  const { pathname, search } = new URL(String(ads[0]?.view), `http://127.0.0.1:${port}`);
  const reported = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
    method: 'POST',
    headers: HEADERS,
  });
  return String(reported.status);
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

/**
 * `npm run -s tool upgrade` builds the release before this one (from the file RELEASES), and rolls two servers on one
 * database forward to this checkout, back, and forward again, while clients ask for ads, report views and sign in. It
 * prints each step, and exits with 1 if a request failed or the older release changed a function. [OPS-07, OPS-08]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { SAMPLE_PASSWORD } from '../domain/accounts/passwords.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { freePort } from '../server/db/free-port.ts';
import { RELEASE } from '../server/release.ts';
import { build } from './build.mjs';
import { findNode, root, run } from './node.mjs';
import { step } from './progress.mjs';
import { git, type Release, releaseBefore } from './releases.ts';

/** How long the balancer sends requests to a new server beside the old one, and to the new one alone. */
const BESIDE_MS = 3000;
/** Four clients of ads, with a pause after each view, are about a hundred views a second. */
const CLIENTS = 4;
const PAUSE_MS = 30;
/** A balancer asks each server this often, and the servers go on for longer after SIGTERM. */
const CHECK_MS = 500;
const SHUTDOWN_DELAY_MS = 3000;
const ORIGIN = 'https://reader.example';

type Server = { port: number; child: ChildProcess; output: () => string; ended: Promise<unknown> };
type Counts = Map<string, number>;

const before = releaseBefore();
if (!before) throw new Error(`RELEASES names no release below ${RELEASE}.`);
const older = await buildOlder(before);
await build();
const folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-upgrade-'));
const database = await startEmbedded({ dataDir: path.join(folder, 'database'), log: () => {} });
const client = new pg.Client({ connectionString: database.ownerUrl('openslot') });
let up: Server[] = [];
let ready: Server[] = [];
let isOver = false;
let turn = 0;
const counts: Counts = new Map();
try {
  process.exitCode = (await roll()) ? 0 : 1;
} finally {
  isOver = true;
  for (const { child } of up) child.kill('SIGKILL');
  await Promise.all(up.map(({ ended }) => ended));
  await client.end();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function roll(): Promise<boolean> {
  for (let n = 0; n < 2; n++) up.push(await start(older));
  await client.connect();
  const { rows } = await client.query<{ zone: string }>(
    `select z.public_id as zone from ads a join ad_zones z on z.id = a.ad_zone_id where a.status = 'active' and z.is_active limit 1`,
  );
  void balance();
  await pause(2 * CHECK_MS);
  const load = [signIns(), ...Array.from({ length: CLIENTS }, () => views(rows[0]!.zone))];
  await report(`two servers of ${before!.release}`);
  const functions: string[] = [];
  for (const [what, folders] of [
    [`forward to ${RELEASE}`, [root, root]],
    [`back to ${before!.release}`, [older, older]],
    [`forward again`, [root, root]],
  ] as const) {
    for (const each of folders) await replace(each);
    functions.push(await functionsOf());
    await report(what);
  }
  isOver = true;
  await Promise.all(load);
  const failures = [...counts].filter(([name]) => !['view 204', 'sign-in 200', 'user 200'].includes(name));
  const isKept = new Set(functions).size === 1;
  if (failures.length > 0) console.log(`Failed: ${JSON.stringify(Object.fromEntries(failures))}`);
  if (!isKept) console.log(`Release ${before!.release} changed functions of ${RELEASE}.`);
  return failures.length === 0 && isKept;
}

/** Builds the release in a clone of its own, once. */
async function buildOlder({ release, commit }: Release): Promise<string> {
  const clone = path.join(root, '.cache/releases', `${release}-${commit.slice(0, 12)}`);
  if (existsSync(path.join(clone, 'dist/web'))) return clone;
  rmSync(clone, { recursive: true, force: true });
  git('clone', '--quiet', '--no-checkout', root, clone);
  git('-C', clone, 'checkout', '--quiet', commit);
  await step(`Building release ${release}`, async () => {
    for (const script of ['install.mjs', 'build.mjs'])
      if ((await run(process.execPath, [path.join(clone, 'scripts', script)])) !== 0)
        throw new Error(`scripts/${script} of release ${release} failed.`);
  });
  return clone;
}

async function start(checkout: string): Promise<Server> {
  const port = await freePort();
  const child = spawn(findNode() ?? process.execPath, ['server/main.ts'], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: database.url('openslot'),
      DATABASE_OWNER_URL: database.ownerUrl('openslot'),
      PUBLIC_URL: 'http://localhost:3000',
      DEV_KEY: 'a key of the rolling test',
      SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
      RATE_LIMIT_FACTOR: '1000000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const server = { port, child, output: () => output, ended: once(child, 'close') };
  while (!(await isReady(server))) {
    if (child.exitCode !== null) throw new Error(`The server in ${checkout} did not start:\n${output}`);
    await pause(100);
  }
  return server;
}

/** Starts a server, and stops the oldest one when the balancer knows both. */
async function replace(checkout: string): Promise<void> {
  up.push(await start(checkout));
  await pause(BESIDE_MS);
  const [oldest] = up;
  oldest!.child.kill('SIGTERM');
  await oldest!.ended;
  if (oldest!.child.exitCode !== 0) note(`server that ended with ${oldest!.child.exitCode}`);
  up = up.slice(1);
  await pause(BESIDE_MS);
}

async function isReady({ port }: Server): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/api/health/ready`, { signal: AbortSignal.timeout(1500) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function balance(): Promise<void> {
  while (!isOver) {
    const answers = await Promise.all(up.map(async (server) => ({ server, ok: await isReady(server) })));
    ready = answers.filter(({ ok }) => ok).map(({ server }) => server);
    await pause(CHECK_MS);
  }
}

/** Sends a request to the next server. */
async function send(address: string, init?: RequestInit): Promise<Response> {
  while (ready.length === 0) await pause(CHECK_MS);
  const { port } = ready[turn++ % ready.length]!;
  const { pathname, search } = new URL(address, 'http://localhost');
  return await fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
}

function note(name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

async function attempt(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    note(`${what} ${cause?.code ?? message}`);
  }
}

async function views(zone: string): Promise<void> {
  const headers = { origin: ORIGIN, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
  while (!isOver) {
    await attempt('view', async () => {
      const answer = await send(`/api/serve/ads?z=${zone}`, { headers });
      const { ads } = (await answer.json()) as { ads: { view?: string }[] };
      if (ads[0]?.view) note(`view ${(await send(ads[0].view, { method: 'POST', headers })).status}`);
    });
    await pause(PAUSE_MS);
  }
}

/** Signs in at one server, and uses the session at the next one. */
async function signIns(): Promise<void> {
  while (!isOver) {
    await attempt('sign-in', async () => {
      const answer = await send('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'http://localhost:3000' },
        body: JSON.stringify({ email: 'ada@openslot.test', password: SAMPLE_PASSWORD }),
      });
      note(`sign-in ${answer.status}`);
      const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
      note(`user ${(await send('/api/auth/user', { headers: { cookie } })).status}`);
    });
    await pause(10 * PAUSE_MS);
  }
}

/** A hash of the texts of all functions in the database. */
async function functionsOf(): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(
    `select md5(string_agg(pg_get_functiondef(p.oid), '' order by p.oid::regprocedure::text)) as hash from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  );
  return rows[0]!.hash;
}

async function report(what: string): Promise<void> {
  await pause(BESIDE_MS);
  console.log(`${what.padEnd(24)} ${[...counts].map(([name, n]) => `${n} × ${name}`).join(', ')}`);
}

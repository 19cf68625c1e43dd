/**
 * `npm run -s lab upgrade` builds the release before this one (from the file RELEASES), and rolls two servers on one
 * database forward to this checkout, back, and forward again, while clients ask for ads, report views and sign in. It
 * prints each step, and exits with 1 if a request failed or the older release changed a function.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '../server/platform/database/embedded/embedded.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { RELEASE } from '../server/platform/settings/release.ts';
import { build } from '../scripts/build.mjs';
import {
  failuresOf,
  isReady,
  sendTo,
  type Server,
  startLoad,
  startServer,
  stopServer,
  zoneWithAd,
} from './load.ts';
import { root, run } from '../scripts/node.mjs';
import { step } from '../scripts/progress.mjs';
import { git, type Release, releaseBefore } from '../scripts/releases.ts';

/** How long the balancer sends requests to a new server beside the old one, and to the new one alone. */
const BESIDE_MS = 3000;
const VIEWS_PER_SECOND = 100;
/** A balancer asks each server this often, and the servers go on for longer after SIGTERM. */
const CHECK_MS = 500;
const SHUTDOWN_DELAY_MS = 3000;
const PUBLIC_URL = 'http://localhost:3000';

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
const problems: string[] = [];
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
  void balance();
  await pause(2 * CHECK_MS);
  const load = startLoad(sendTo(nextPort), {
    zone: await zoneWithAd(client),
    viewsPerSecond: VIEWS_PER_SECOND,
    publicUrl: PUBLIC_URL,
  });
  const report = async (what: string) => {
    await pause(BESIDE_MS);
    console.log(`${what.padEnd(24)} ${[...load.counts].map(([name, n]) => `${n} × ${name}`).join(', ')}`);
  };
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
  await load.end();
  problems.push(...failuresOf(load.counts));
  if (new Set(functions).size > 1)
    problems.push(`Release ${before!.release} changed functions of ${RELEASE}.`);
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
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
      if ((await run(process.execPath, [path.join(clone, 'scripts', script)], clone)) !== 0)
        throw new Error(`scripts/${script} of release ${release} failed.`);
  });
  return clone;
}

async function start(checkout: string): Promise<Server> {
  return await startServer(checkout, await freePort(), {
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: database.url('openslot'),
    DATABASE_OWNER_URL: database.ownerUrl('openslot'),
    PUBLIC_URL,
    DEV_KEY: 'a key of the rolling test',
    SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
  });
}

/** Starts a server, and stops the oldest one when the balancer knows both. */
async function replace(checkout: string): Promise<void> {
  up.push(await start(checkout));
  await pause(BESIDE_MS);
  const code = await stopServer(up[0]!);
  if (code !== 0) problems.push(`A server ended with ${code}.`);
  up = up.slice(1);
  await pause(BESIDE_MS);
}

async function balance(): Promise<void> {
  while (!isOver) {
    const answers = await Promise.all(up.map(async (server) => ({ server, ok: await isReady(server.port) })));
    ready = answers.filter(({ ok }) => ok).map(({ server }) => server);
    await pause(CHECK_MS);
  }
}

async function nextPort(): Promise<number> {
  while (ready.length === 0) await pause(CHECK_MS);
  return ready[turn++ % ready.length]!.port;
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

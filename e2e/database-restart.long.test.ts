import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServedAds } from '#domain/delivery/wire.ts';
import { findRunning } from '../server/platform/database/embedded/running.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { ready, type ServerProcess, spawnServer } from '../server/testing/server-process.ts';
import { newTemporaryFolder, removeFolder } from '../server/testing/temporary.ts';
import { killPostgres, postmasterOf } from './support/kill-postgres.ts';

const VIEWERS = 4;
const JOBS = 20;

const dataDir = newTemporaryFolder('data');
let server: ServerProcess | undefined;
let url: string;
let zone: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  server = spawnServer({
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    SAMPLE_DATA: '1',
    RATE_LIMIT_FACTOR: '1000',
  });
  await ready(server, url);
  const [found] = await query<{ id: string }>(
    `select z.public_id as id from ads a join ad_zones z on z.id = a.ad_zone_id where a.status = 'active' and z.is_active limit 1`,
  );
  zone = found!.id;
});
afterAll(async () => {
  await server?.stop('SIGTERM');
  removeFolder(dataDir);
});

const CRASHES: Record<string, () => Promise<void>> = {
  'one of its connections ends with signal 11': async () => {
    const [counting] = await query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'openslot counting'`,
    );
    process.kill(counting!.pid, 'SIGSEGV');
  },
  'all of its processes are killed': async () => killPostgres(dataDir),
  'it is told to stop at once': async () => void process.kill(postmasterOf(dataDir), 'SIGQUIT'),
};

// Proves RUN-04
it.each(Object.entries(CRASHES))(
  'counts each acknowledged view, does each job and answers again when %s while visitors come',
  async (_name, crash) => {
    const before = await storedViews();
    const viewers = sendViews();
    await expect.poll(() => viewers.acknowledged.size).toBeGreaterThan(20);
    await query(
      `select graphile_worker.add_job('check-target', '{"adId": 0}') from generate_series(1, ${JOBS})`,
    );
    await crash();
    const known = viewers.acknowledged.size;

    await expect.poll(() => viewers.acknowledged.size).toBeGreaterThan(known + 2 * VIEWERS);
    await viewers.stop();
    await expect.poll(async () => (await fetch(`${url}/api/health/ready`)).status).toBe(200);
    await expect.poll(waitingJobs).toBe(0);
    // Those that were acknowledged are stored, so sending all of them again stores the others only.
    await expect.poll(storedViews).toBeGreaterThanOrEqual(before + viewers.acknowledged.size);
    for (const view of viewers.sent) expect(await report(view)).toBe(204);
    await expect.poll(storedViews).toBe(before + viewers.sent.size);
  },
);

/** Visitors who ask for an ad and report its view, one after the other, until they are told to stop. */
function sendViews() {
  const [sent, acknowledged] = [new Set<string>(), new Set<string>()];
  let isOver = false;
  const visit = async () => {
    while (!isOver) {
      const view = await askForAd().catch(() => undefined);
      if (view === undefined) continue;
      sent.add(view);
      if ((await report(view).catch(() => 0)) === 204) acknowledged.add(view);
      await pause(5);
    }
  };
  const visits = Array.from({ length: VIEWERS }, visit);
  return {
    sent,
    acknowledged,
    stop: async () => {
      isOver = true;
      await Promise.all(visits);
    },
  };
}

async function askForAd(): Promise<string | undefined> {
  const answer = await fetch(`${url}/api/serve/ads?z=${zone}`, { headers: { origin: url } });
  return ((await answer.json()) as ServedAds).ads[0]?.view;
}

const report = async (view: string) =>
  (await fetch(view, { method: 'POST', headers: { origin: url } })).status;

async function storedViews(): Promise<number> {
  const [row] = await query<{ n: number }>(
    `select count(*)::int as n from ad_events where kind = 'view' and counted_at > now() - interval '1 hour'`,
  );
  return row!.n;
}

async function waitingJobs(): Promise<number> {
  const [row] = await query<{ n: number }>(
    `select count(*)::int as n from graphile_worker.jobs where task_identifier = 'check-target'`,
  );
  return row!.n;
}

/** On a connection of its own, because the others end with the database. */
async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: findRunning(dataDir, 'openslot') ?? '' });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

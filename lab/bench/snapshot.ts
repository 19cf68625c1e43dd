/**
 * Measures what a server keeps in memory, in a marketplace where few ad zones have an ad. This process is the measured
 * server. Usage: `node snapshot.ts DATA_DIR ZONES`; each thirteenth zone has a live ad.
 */
import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import pg from 'pg';
import { buildApp } from '../../server/app/app.ts';
import { heapInUse } from '../../server/testing/delivery/heap.ts';
import { withDatabase, withoutTriggers } from '../../server/testing/database/fill.ts';
import { openBenchDatabase } from './app.ts';
import { endWithBench } from './process.ts';

/** The messages that the bench sends to this process. 'change' changes a tenth of all zones. */
export type Ask = { ask: 'figures' } | { ask: 'change' };
/**
 * `pauseMs` is the longest pause of the event loop since the figures before, and `turnMs` the most processor time of the
 * serving thread between two of its turns. Other programs of a busy machine lengthen the first one only.
 */
export type Figures = { heapMiB: number; residentMiB: number; pauseMs: number; turnMs: number };
export type Started = {
  port: number;
  ads: number;
  websites: number;
  /** From the start on a migrated database. */
  listensMs: number;
  readyMs: number;
  /** The processor time of this process until then. */
  busyMs: number;
  /** The public ids of zones without an ad. */
  coldZones: string[];
};

const COLD_ZONES = 1000;
const ZONES_PER_AD = 13;

const [dataDir = '', given = ''] = process.argv.slice(2);
const zones = Number(given);
const ads = Math.floor(zones / ZONES_PER_AD);
const websites = Math.ceil(zones / 1.3);
rmSync(dataDir, { recursive: true, force: true });
const { databaseUrl, ownerUrl, config, sessionSecret, close } = await openBenchDatabase(dataDir);
await withDatabase(ownerUrl, async (client) => {
  await withoutTriggers(client, async () => await fill(client));
  await client.query('vacuum analyze');
});

const from = performance.now();
const busyFrom = process.cpuUsage();
const app = await buildApp({ config, databaseUrl, sessionSecrets: [sessionSecret], logger: false });
await app.fastify.listen({ port: 0, host: '127.0.0.1' });
const listensMs = performance.now() - from;
let pauses = watchPauses();
await app.refreshDelivery();
const busy = process.cpuUsage(busyFrom);
const started: Started = {
  port: (app.fastify.server.address() as AddressInfo).port,
  ads,
  websites,
  listensMs,
  readyMs: performance.now() - from,
  busyMs: (busy.user + busy.system) / 1000,
  coldZones: await findColdZones(),
};

process.on('message', ({ ask }: Ask) => {
  if (ask === 'figures') process.send?.(figures());
  else void change().then((ms) => process.send?.(ms));
});
endWithBench(async () => await app.close().then(close));
process.send?.(started);

async function fill(client: pg.Client): Promise<void> {
  for (const statement of [
    `insert into users (email, password) select 'u' || n || '@bench.test', 'x' from generate_series(1, 1000) n`,
    `insert into websites (user_id, name, url, category, monthly_visitors)
      select n % 1000 + 1, 'Site', 'https://s' || n || '.example', 'Food', 10000 from generate_series(1, ${websites}) n`,
    `insert into ad_zones (website_id, name, width, height, zone_type)
      select n % ${websites} + 1, 'Zone', 300, 250, 'rectangle' from generate_series(1, ${zones}) n`,
    `insert into ad_zone_products (ad_zone_id, ad_type, price, duration)
      select n, 'text', 10, 1 from generate_series(1, ${zones}) n`,
    `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
        pricing_model, impressions, status, payment_intent_id, start_date, approved_at)
      select n % 1000 + 1, n * ${ZONES_PER_AD}, 'text', 'Fresh coffee ' || n, 'Roasted on Monday, at your door on Wednesday.',
        'https://coffee.example/' || n, 100, 15, 'per_impression', 100000, 'active', 'p' || n, now(), now()
      from generate_series(1, ${ads}) n`,
  ])
    await client.query(statement);
}

async function findColdZones(): Promise<string[]> {
  const rows = await app.ctx.db
    .selectFrom('adZones')
    .select('publicId')
    .where((eb) => eb('id', '>', eb.lit(zones - 2 * COLD_ZONES)))
    .where((eb) => eb(eb('id', '%', eb.lit(ZONES_PER_AD)), '<>', 0))
    .limit(COLD_ZONES)
    .execute();
  return rows.map(({ publicId }) => publicId);
}

/** Changes a tenth of the zones, and returns how long the server takes to read them. */
async function change(): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('update ad_zones set is_active = false where id % 10 = 0');
  await client.query('update ad_zones set is_active = true where id % 10 = 0');
  await client.end();
  const since = performance.now();
  await app.refreshDelivery();
  return performance.now() - since;
}

function figures(): Figures {
  const { pauseMs, turnMs } = pauses.stop();
  // The collection of all garbage is not a pause of the server.
  const heapMiB = heapInUse() / 2 ** 20;
  const residentMiB = process.memoryUsage().rss / 2 ** 20;
  setImmediate(() => (pauses = watchPauses()));
  return { heapMiB, residentMiB, pauseMs, turnMs };
}

function watchPauses() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let before = process.threadCpuUsage();
  let longest = 0;
  const timer = setInterval(() => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - before.user - before.system);
    before = now;
  }, 1);
  return {
    stop: () => {
      delay.disable();
      clearInterval(timer);
      return { pauseMs: delay.max / 1e6, turnMs: longest / 1000 };
    },
  };
}

/**
 * Measures the ad server's snapshot with 100,000 live ads in 50,000 ad zones. Prints how long reading it takes, the
 * longest time for which it blocks the serving thread, and how much memory it needs.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import pg from 'pg';
import { buildApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { migrate } from '../../server/db/migrate.ts';

export type SnapshotFigures = {
  buildMs: number;
  buildPauseMs: number;
  /** The time of a refresh after a tenth of all zones changed. */
  refreshMs: number;
  refreshPauseMs: number;
  heapMiB: number;
};

const ZONES = 50_000;
const ADS = 100_000;

const [dataDir = ''] = process.argv.slice(2);
rmSync(dataDir, { recursive: true, force: true });
mkdirSync(dataDir, { recursive: true, mode: 0o755 });
const database = await startEmbedded({ dataDir, log: () => {} });
const databaseUrl = database.url('openslot');
const ownerUrl = database.ownerUrl('openslot');
await migrate(ownerUrl, databaseUrl);
const client = new pg.Client({ connectionString: ownerUrl });
await client.connect();
for (const statement of [
  'alter table ads disable trigger user',
  `insert into users (email, password) select 'u' || n || '@bench.test', 'x' from generate_series(1, 1000) n`,
  `insert into websites (user_id, name, url, category, monthly_visitors)
    select n % 1000 + 1, 'Site', 'https://s' || n || '.example', 'Food', 10000 from generate_series(1, ${ZONES}) n`,
  `insert into ad_zones (website_id, name, width, height, zone_type)
    select n, 'Zone', 300, 250, 'rectangle' from generate_series(1, ${ZONES}) n`,
  `insert into ad_zone_products (ad_zone_id, ad_type, price, duration) select n, 'text', 10, 1 from generate_series(1, ${ZONES}) n`,
  `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
      pricing_model, impressions, status, payment_intent_id, start_date, approved_at)
    select n % 1000 + 1, n % ${ZONES} + 1, 'text', 'Fresh coffee ' || n, 'Roasted on Monday, at your door on Wednesday.',
      'https://coffee.example/' || n, 100, 15, 'per_impression', 100000, 'active', 'p' || n, now(), now()
    from generate_series(1, ${ADS}) n`,
  'alter table ads enable trigger user',
  'vacuum analyze',
]) {
  await client.query(statement);
}

// Building the application reads all live ads.
const { result: app, ...built } = await measure(() =>
  buildApp({
    config: readConfig({
      PORT: '1',
      DATA_DIR: dataDir,
      SAMPLE_DATA: '0',
      PUBLIC_URL: 'http://ads.example',
      SMTP_URL: 'smtp://127.0.0.1:9',
    }),
    databaseUrl,
    sessionSecrets: ['a secret for the bench of 32 characters or more'],
    logger: false,
  }),
);
await client.query('update ad_zones set is_active = false where id % 10 = 0');
await client.query('update ad_zones set is_active = true where id % 10 = 0');
const refreshed = await measure(() => app.refreshDelivery());
const figures: SnapshotFigures = {
  buildMs: built.ms,
  buildPauseMs: built.pauseMs,
  refreshMs: refreshed.ms,
  refreshPauseMs: refreshed.pauseMs,
  heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
};
console.log(JSON.stringify(figures));
await client.end();
await app.close();
await database.stop();
process.exit(0);

/** Measures how long `work` takes and the longest time for which it blocked the event loop, in milliseconds. */
async function measure<T>(work: () => Promise<T>): Promise<{ result: T; ms: number; pauseMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const from = performance.now();
  const result = await work();
  const ms = performance.now() - from;
  delay.disable();
  return { result, ms, pauseMs: delay.max / 1e6 };
}

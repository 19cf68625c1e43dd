/** The hourly comparison reads by index. The number of rows grows with the compared hours of visited zones. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { planOf } from '#server/testing/database/query-plans.ts';
import { audiencesToCheck } from './store-told.ts';
import { factsOf } from './store-facts.ts';
import { crowdsOf, listRows, visitedZones, zonesWithViews } from './store.ts';

const ZONES = 1000;
const UNTIL = new Date('2026-10-11T00:00:00Z');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  for (const statement of [
    `insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, ${ZONES}) n`,
    `insert into websites (user_id, name, url, category) select n, 'Site', 'https://s.example', 'Food' from generate_series(1, ${ZONES}) n`,
    `insert into ad_zones (website_id, name, width, height, zone_type) select n, 'Zone', 1, 1, 'custom' from generate_series(1, ${ZONES}) n`,
    `insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
      select timestamptz '2026-10-01T00:00:00Z' + h * interval '1 hour', n, n, kind, 5
        from generate_series(0, 239, 8) h, unnest('{view,decision}'::text[]) kind, generate_series(1, ${ZONES}) n`,
    `insert into traffic_clusters (hour, zone_id, ad_id, kind, network, browser, delay, n)
      select timestamptz '2026-10-08T00:00:00Z' + h * interval '1 hour', z, z, 'view', bucket, bucket, 1, 10
        from generate_series(0, 71, 4) h, generate_series(1, ${ZONES}) z, generate_series(1, 2) bucket`,
    `insert into tag_loads (hour, zone_id, n)
      select timestamptz '2026-10-08T00:00:00Z' + h * interval '1 hour', z, 1
        from generate_series(0, 71, 4) h, generate_series(1, ${ZONES}) z`,
    `insert into withdrawals (zone_id, from_hour, until_hour, made_at, signals)
      select z, timestamptz '2026-10-02T00:00:00Z', timestamptz '2026-10-03T00:00:00Z', timestamptz '2026-10-03T00:00:00Z', '[{}]'
        from generate_series(1, ${ZONES}) z`,
    `insert into withdrawals (zone_id, from_hour, until_hour, made_at, signals)
      select z, timestamptz '2026-10-10T00:00:00Z', timestamptz '2026-10-11T00:00:00Z', timestamptz '2026-10-11T00:00:00Z', '[{"signal": "share"}]'
        from generate_series(17, 19) z`,
    `insert into withdrawn_hours (withdrawal_id, hour, ad_id, kind, zone_id, n)
      select id, hour, zone_id, 'view', zone_id, 2
        from withdrawals, generate_series(from_hour, until_hour, interval '1 hour') as hour`,
    'alter table ads disable trigger user',
    // Ten ads of each advertiser lead to one page.
    `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
        pricing_model, clicks, status, payment_intent_id, start_date, measures_landings)
      select n / 10 + 1, n, 'text', 'T', 'D', 'https://x.example/' || n, 100, 15, 'per_click', 10, 'active', 'pi_' || n,
        '2026-09-01', true
      from generate_series(1, ${ZONES - 1}) n`,
    `insert into landing_hours (ad_id, hour, zone_id, clicks, landings)
      select id, timestamptz '2026-09-14T00:00:00Z' + h * interval '1 hour', ad_zone_id, 2, 1
        from ads, generate_series(0, 647, 12) h`,
    'vacuum analyze',
  ])
    await sql.raw(statement).execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const LARGE = new Set([
  'delivery_hourly',
  'traffic_clusters',
  'tag_loads',
  'withdrawals',
  'withdrawn_hours',
  'landing_hours',
  'ads',
]);

const QUERIES = [
  ['zone', async (tx: Database) => await factsOf(tx, 'zone', [7, 8, 9], UNTIL)],
  ['website', async (tx: Database) => await factsOf(tx, 'website', [7, 8, 9], UNTIL)],
  [
    'zone’s networks',
    async (tx: Database) => await crowdsOf(tx, [7, 8, 9], { until: UNTIL, hours: 24, fair: 8 }),
  ],
  ['zone with few visitors', async (tx: Database) => await zonesWithViews(tx, [7, 8, 9], UNTIL, 30)],
  ['page of visited zones', async (tx: Database) => await visitedZones(tx, UNTIL, 500, 10)],
  [
    'website that lost most views',
    async (tx: Database) =>
      await audiencesToCheck(tx, 1, {
        since: new Date('2026-10-10T00:00:00Z'),
        toldSince: new Date('2026-10-04T00:00:00Z'),
      }),
  ],
  [
    'page of withdrawals',
    async (tx: Database) =>
      await listRows(tx, { openFrom: new Date('2026-10-01T00:00:00Z'), before: 500, limit: 10 }),
  ],
] as const;

// Proves SIVT-01
it.each(QUERIES)('reads the rows of a %s by index', async (_what, run) => {
  const plan = await planOf(db, run, { analyze: true });
  const scanned = plan
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']);
  expect(scanned.filter((name) => LARGE.has(name ?? ''))).toEqual([]);
  const read = plan
    .filter((node) => LARGE.has(node['Relation Name'] ?? ''))
    .map((node) => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0));
  expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(2000);
});

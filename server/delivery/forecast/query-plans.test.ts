import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf, type PlanNode, rowsMet } from '#server/testing/database/query-plans.ts';
import { findFigures, findZoneDays, nextDueZones, sumReports } from './store.ts';

const WEBSITES = 20_000;
const HOURS = 24 * 40;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  const tables = [
    'users',
    'websites',
    'ad_zones',
    'ad_zone_products',
    'zone_measurements',
    'market_measurements',
    'delivery_hourly',
  ];
  await fillTables(db, tables, async (tx) => {
    await sql`insert into users (email, password) values ('user@example.test', 'x')`.execute(tx);
    await sql`
    insert into websites (user_id, name, url, category, monthly_visitors)
      select 1, 'Site', 'https://site.example', 'Food', n % 90000 from generate_series(1, ${WEBSITES}) n`.execute(
      tx,
    );
    await sql`
    insert into ad_zones (website_id, name, width, height, zone_type)
      select n / 2 + 1, 'Zone', 300 + n % 50, 250, 'rectangle' from generate_series(1, ${2 * WEBSITES - 2}) n`.execute(
      tx,
    );
    await sql`
    insert into ad_zone_products (ad_zone_id, ad_type, price, duration)
      select n, 'text', 10, 1 from generate_series(1, ${2 * WEBSITES - 2}) n`.execute(tx);
    await sql`
    insert into zone_measurements
      select n, '2027-05-20', 28, 40, 64, 90, 100, 50, 40, 1, 50, 5 from generate_series(1, ${2 * WEBSITES - 2}) n
        where n % 3 > 0`.execute(tx);
    await sql`
    insert into market_measurements
      select 300 + n % 50, 250, (array['high', 'medium', 'low'])[n / 50 + 1], '2027-05-20', 3, 0.001, 0.01, 0.1
        from generate_series(0, 149) n`.execute(tx);
    await sql`
    insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
      select '2027-05-20T00:00:00Z'::timestamptz - h * interval '1 hour', z, z, 'view', 9
        from generate_series(1, ${HOURS}) h, generate_series(1, 200) z`.execute(tx);
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const analyzed = (run: (tx: Database) => Promise<unknown>) => planOf(db, run, { analyze: true });
const indexes = (plan: PlanNode[]) => new Set(plan.flatMap((node) => node['Index Name'] ?? []));

it('reads the forecasts of a page of websites in one query that reads only their zones', async () => {
  const page = Array.from({ length: 12 }, (_, index) => 5000 + index * 7);
  const plan = await analyzed((tx) => findFigures(tx, page));
  expect(indexes(plan)).toContain('ad_zones_website');
  expect(indexes(plan)).toContain('zone_measurements_pkey');
  expect(rowsMet(plan, 'ad_zones')).toBe(24);
  expect(rowsMet(plan, 'zone_measurements')).toBeLessThanOrEqual(24);
  expect(rowsMet(plan, 'ad_zone_products')).toBeLessThanOrEqual(24);
  // The market has a row for each size and traffic level only.
  expect(rowsMet(plan, 'market_measurements')).toBeLessThanOrEqual(12 * 150);
});

it('measures zones from their own hours of the last weeks', async () => {
  const zones = [3, 5, 8];
  const span = [new Date('2027-04-22T00:00:00Z'), new Date('2027-05-20T00:00:00Z')] as const;
  for (const run of [
    (tx: Database) => findZoneDays(tx, zones, ...span),
    (tx: Database) => sumReports(tx, zones, ...span),
  ]) {
    const plan = await analyzed(run);
    expect(indexes(plan)).toContain('delivery_hourly_zone');
    expect(rowsMet(plan, 'delivery_hourly')).toBeLessThanOrEqual(zones.length * 28 * 24);
  }
});

it('reads no zone when none is due', async () => {
  const plan = await analyzed((tx) => nextDueZones(tx, '2027-05-20', 200));
  expect(indexes(plan)).toContain('zone_measurements_due');
  for (const table of ['ad_zones', 'zone_measurements', 'unmeasured_zones'])
    expect(rowsMet(plan, table)).toBe(0);
});

it('finds the zones that are due by their day', async () => {
  const plan = await analyzed((tx) => nextDueZones(tx, '2027-05-21', 200));
  expect(rowsMet(plan, 'ad_zones')).toBe(0);
  expect(rowsMet(plan, 'zone_measurements')).toBeLessThanOrEqual(200);
});

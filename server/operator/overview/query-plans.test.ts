/** The console's first page reads the days of its period, and not the history before them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf, type PlanNode, rowsMet } from '#server/testing/database/query-plans.ts';
import { countPeople, medianHoursToApproval, sumByDay } from './store-overview.ts';

const DAYS = 800;
/** Each day 25 ads were approved and paid. Of the ads of the last 20 days, the first of each day delivers in every hour. */
const ADS = 25 * DAYS;
const TABLES = [
  'users',
  'websites',
  'ad_zones',
  'ads',
  'payments',
  'refunds',
  'earned_hours',
  'delivery_hourly',
  'withdrawals',
  'withdrawn_hours',
];

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  const day = (n: string) => `timestamptz '2024-01-01T00:00:00Z' + (${n}) * interval '1 day'`;
  await fillTables(db, TABLES, async (tx) => {
    for (const statement of [
      `insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, ${ADS}) n`,
      `insert into websites (user_id, name, url, category, created_at) select n, 'Site', 'https://s.example', 'Food', ${day(`n % ${DAYS}`)} from generate_series(1, ${ADS}) n`,
      `insert into ad_zones (website_id, name, width, height, zone_type) select n, 'Zone', 1, 1, 'custom' from generate_series(1, ${ADS}) n`,
      `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
          pricing_model, duration, status, payment_intent_id, approved_at, review_since, start_date, end_date)
        select n, n, 'text', 'T', 'D', 'https://x.example', 100, 15, 'per_day', 10, 'active', 'pi_' || n,
          ${day(`n % ${DAYS}`)}, ${day(`n % ${DAYS} - 0.5`)}, ${day(`n % ${DAYS}`)}, ${day(`n % ${DAYS} + 20`)}
        from generate_series(1, ${ADS}) n`,
      `insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents, status, charge_id, paid_at)
        select id, user_id, 'sandbox', 'USD', payment_intent_id, 10000, 1500, 'succeeded', 'ch_' || id, start_date from ads`,
      `insert into refunds (payment_id, amount_cents, publisher_cents, commission_cents, cause, status, created_at)
        select id, 100, 85, 15, 'canceled', 'done', paid_at from payments`,
      `insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
        select ${day('d')} + h * interval '1 hour', ads.id, ads.id, kind, 5
          from generate_series(1, ${DAYS}) d, generate_series(0, 23) h, unnest('{decision,view}'::text[]) kind, ads
          where ads.id between d - 19 and d
          order by d, h`,
      `insert into earned_hours (ad_id, hour, publisher_cents, commission_cents)
        select ad_id, hour, 85, 15 from delivery_hourly where kind = 'view' order by hour`,
      `insert into withdrawals (id, zone_id, from_hour, until_hour, made_at, signals) overriding system value
        select n, n, ${day('n')}, ${day('n + 1')}, ${day('n + 1')}, '[{}]' from generate_series(1, ${DAYS}) n`,
      `insert into withdrawn_hours (withdrawal_id, hour, ad_id, kind, zone_id, n)
        select w.id, w.from_hour + h * interval '1 hour', w.id, kind, w.id, 1
          from withdrawals w, generate_series(0, 23) h, unnest('{view,click}'::text[]) kind order by 1, 2`,
    ])
      await sql.raw(statement).execute(tx);
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const range = { from: '2026-01-01', to: '2026-01-30', book: 'sandbox' } as const;

const pagesOf = (plan: readonly PlanNode[], table: string) =>
  plan
    .filter((node) => node['Relation Name'] === table)
    .reduce((sum, node) => sum + (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0), 0);

it('the figures of 30 days read the rows of these days, by index', async () => {
  const sums = await sumByDay(db, range);
  expect(sums.map(({ sales }) => sales)).toEqual(Array(30).fill(25 * 10_000));
  expect(sums.map(({ requests }) => requests)).toEqual(Array(30).fill(20 * 24 * 5));
  const plan = await planOf(
    db,
    async (tx) => {
      await sumByDay(tx, range);
      await countPeople(tx, range);
      await medianHoursToApproval(tx, range);
    },
    { analyze: true },
  );
  for (const table of ['delivery_hourly', 'earned_hours']) {
    const { rows } = await sql<{ pages: number }>`
      select sum(relpages)::integer as pages from pg_class
        where relkind = 'r' and (oid = ${table}::text::regclass
          or oid in (select inhrelid from pg_inherits where inhparent = ${table}::text::regclass))`.execute(
      db,
    );
    expect(rows[0]?.pages).toBeGreaterThan(2000);
    // Two queries read `earned_hours`.
    expect([table, pagesOf(plan, table) / (rows[0]?.pages ?? 0) < 0.25]).toEqual([table, true]);
  }
  for (const table of ['payments', 'refunds', 'websites', 'ads'])
    expect([table, rowsMet(plan, table) < ADS / 4]).toEqual([table, true]);
});

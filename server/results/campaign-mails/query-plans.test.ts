/** The mails about campaigns read what they need by index, however many ads and conversions there are. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import {
  findEnded,
  findOwnWeek,
  listAdvertisers,
  listPublishers,
  listSoldZones,
  noteTold,
  reachedOf,
  takeTurn,
} from './store.ts';

const AT = new Date('2026-11-23T12:05:00Z');
const DAYS = { from: '2026-11-16', to: '2026-11-22' };

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
    'ads',
    'landing_hours',
    'conversions',
    'user_settings',
    'told_ends',
  ];
  await fillTables(db, tables, async (tx) => {
    for (const statement of [
      `insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, 40000) n`,
      `insert into user_settings (user_id) select id from users`,
      `insert into websites (user_id, name, url, category)
        select n, 'Site', 'https://s' || n || '.example', 'Food' from generate_series(1, 10000) n`,
      `insert into ad_zones (website_id, name, width, height, zone_type, tag_seen_at)
        select id, 'Zone', 1, 1, 'custom', timestamptz '2027-01-01' from websites`,
      `insert into ad_zone_products (ad_zone_id, ad_type, price, duration) select id, 'text', 1, 1 from ad_zones`,
      `insert into zone_measurements (zone_id, measured_on, days, low, likely, high, rendered, viewable, views, clicks, judged, invalid)
        select id, '2026-11-23', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 from ad_zones on conflict do nothing`,
      // One of twenty ads runs.
      `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
          pricing_model, duration, status, payment_intent_id, start_date, end_date, approved_at, ended_reason)
        select n % 5000 + 1, 1, 'text', 'T', 'D', 'https://x.example', 100, 15, 'per_day', 1,
          case when n % 20 = 0 then 'active' else 'completed' end, 'pi_' || n,
          timestamptz '2026-01-01' + n * interval '15 minutes', timestamptz '2026-02-01' + n * interval '15 minutes',
          timestamptz '2026-01-01', case when n % 20 > 0 then 'delivered' end
        from generate_series(1, 30000) n`,
      `insert into landing_hours (ad_id, hour, zone_id, clicks, landings)
        select id, timestamptz '2026-11-01' + h * interval '1 hour', 1, 1, 1 from ads, generate_series(0, 1) h`,
      `insert into conversions (ad_id, zone_id, user_id, converted_at)
        select id, 1, user_id, timestamptz '2026-11-01' + h * interval '1 day' from ads, generate_series(0, 3) h`,
      `insert into told_ends (ad_id, told_at) select id, now() from ads where status = 'completed' and id % 2 = 0`,
      `insert into campaign_weeks (week) select d::date from generate_series(timestamp '2006-01-02', '2026-11-16', '7 days') d
        on conflict do nothing`,
    ])
      await sql.raw(statement).execute(tx);
  });
  await sql`vacuum analyze`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

it.each<[string, Parameters<typeof planOf>[1]]>([
  ['the next advertisers', (tx) => listAdvertisers(tx, { until: AT, after: 2000, limit: 20 })],
  ['the next publishers', (tx) => listPublishers(tx, { seenSince: AT, after: 2000, limit: 20 })],
  ['the ad zones of a publisher', (tx) => listSoldZones(tx, 7)],
  ['the week of an advertiser', (tx) => findOwnWeek(tx, 7, { days: DAYS, timezone: 'Europe/Berlin' })],
  ['an ad that has ended', (tx) => findEnded(tx, 7)],
  ['whether it was told', (tx) => noteTold(tx, { adId: 7, planId: null }, AT)],
  ['how far a week is', (tx) => reachedOf(tx, 'campaignWeeks', DAYS.from)],
  ['the turn of a person', (tx) => takeTurn(tx, 'campaignWeeks', DAYS.from, 7)],
])('reads %s by index', async (_what, query) => {
  const plan = await planOf(db, query, { analyze: true });
  const scans = plan.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
  expect(scans).toEqual([]);
  expect(rowsMet(plan, 'ads')).toBeLessThanOrEqual(150);
  expect(rowsMet(plan, 'conversions')).toBeLessThanOrEqual(30);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf } from '#server/testing/database/query-plans.ts';
import { closedDays, firstDayAbove, listOpenAds, listTakenDays } from './store.ts';
import {
  countOpenEntries,
  expireEntries,
  isWaiting,
  listEntries,
  listQueue,
  listZonesWaitedFor,
} from './store-waiting.ts';

let database: TestDatabase;
let db: Database;
const TODAY = '2027-01-04';
const NOW = new Date(`${TODAY}T09:00:00Z`);

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  const tables = ['users', 'websites', 'ad_zones', 'ads', 'booked_days', 'waiting_list'];
  await fillTables(db, tables, async (tx) => {
    for (const statement of [
      `insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, 500) n`,
      `insert into websites (user_id, name, url, category) select n, 'Site', 'https://s.example', 'Food' from generate_series(1, 500) n`,
      `insert into ad_zones (website_id, name, width, height, zone_type, slots)
        select n % 500 + 1, 'Zone', 1, 1, 'custom', 3 from generate_series(1, 2000) n`,
      `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
          pricing_model, duration, chosen_start)
        select n % 500 + 1, n % 2000 + 1, 'text', 'T', 'D', 'https://x.example', 100, 15, 'per_day', 7,
            date '${TODAY}' + n / 2000 * 7
          from generate_series(1, 20000) n`,
      `insert into booked_days (zone_id, day, slot, ad_id, taken_at)
        select a.ad_zone_id, a.chosen_start + d, 1, a.id, now() from ads a cross join generate_series(0, 6) d`,
      `insert into waiting_list (zone_id, user_id, quantity, start_day, end_day, state, created_at, changed_at)
        select n % 2000 + 1, n % 500 + 1, 1, date '${TODAY}' + n % 60, date '${TODAY}' + n % 60 + 7,
            case when n % 20 = 0 then 'waiting' else 'expired' end, now(), timestamptz '2026-12-01' + n * interval '1 minute'
          from generate_series(1, 40000) n`,
    ])
      await sql.raw(statement).execute(tx);
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const RANGE = { from: TODAY, until: '2027-07-10', at: NOW };

it.each<[string, (tx: Database) => Promise<unknown>]>([
  ['the closed days of a zone', (tx) => closedDays(tx, 7, RANGE)],
  ['the taken days of a zone', (tx) => listTakenDays(tx, { id: 7, slots: 3 }, { ...RANGE, today: TODAY })],
  [
    'the taken days of a zone without a limit',
    (tx) => listTakenDays(tx, { id: 7, slots: null }, { ...RANGE, today: TODAY }),
  ],
  ['the open ads of a zone', (tx) => listOpenAds(tx, 7, TODAY)],
  ['the first day above the slots', (tx) => firstDayAbove(tx, 7, 1)],
  ['the people who wait for a zone', (tx) => listQueue(tx, 7)],
  ['the zones that people wait for', (tx) => listZonesWaitedFor(tx, 100, 200)],
  ['the entries of a person', (tx) => listEntries(tx, 7, { before: 30_000, limit: 11 })],
  ['the number of open entries of a person', (tx) => countOpenEntries(tx, 7)],
  [
    'whether a person waits',
    (tx) => isWaiting(tx, { zoneId: 7, userId: 7, first: TODAY, until: '2027-01-10' }),
  ],
  ['entries that are over', (tx) => expireEntries(tx, NOW, TODAY)],
])('reads %s by index', async (_what, run) => {
  const scans = (await planOf(db, run)).filter((node) => node['Node Type'] === 'Seq Scan');
  expect(scans.map((node) => node['Relation Name'])).toEqual([]);
});

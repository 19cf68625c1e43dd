/** The job of each minute reads the hours that it compares, and not the history. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { countFaults, faultsForOperator, faultsOfPublisher, openFaults, untoldFaults } from './store.ts';
import { factsSince, sitesWithoutRequests, sumsAfter, sumsOfDaysBefore, sumsSince } from './store-sums.ts';

/** Each zone had requests, views and refused views in each of these hours. */
const ZONES = 100;
const HOURS = 24 * 40;
const OF_AN_HOUR = ZONES * 3;
/** Long ended faults. */
const ENDED = 20_000;

const ANALYZE = { analyze: true };

let database: TestDatabase;
let db: Database;
let last: Date;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  const hour = (n: string) => `timestamptz '2026-10-01T00:00:00Z' + (${n}) * interval '1 hour'`;
  const tables = [
    'users',
    'websites',
    'ad_zones',
    'delivery_hourly',
    'refused_facts',
    'tag_loads',
    'delivery_faults',
  ];
  await fillTables(db, tables, async (tx) => {
    for (const statement of [
      `insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, ${ZONES}) n`,
      `insert into websites (user_id, name, url, category) select n, 'Site', 'https://s.example', 'Food' from generate_series(1, ${ZONES}) n`,
      `insert into ad_zones (website_id, name, width, height, zone_type) select n, 'Zone', 1, 1, 'custom' from generate_series(1, ${ZONES}) n`,
      `insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
        select ${hour('h')}, z, z, r.kind, r.reason, 60
          from generate_series(1, ${HOURS}) h, generate_series(1, ${ZONES}) z,
            (values ('decision', ''), ('view', ''), ('view', 'bot')) as r (kind, reason)
          order by h, z`,
      `insert into refused_facts (hour, zone_id, reason, n, private_address, same_network, ima_player, stripped_headers)
        select ${hour('h')}, z, 'bot', 60, 0, 0, 0, 60
          from generate_series(${HOURS} - 24, ${HOURS}) h, generate_series(1, ${ZONES}) z order by h, z`,
      `insert into tag_loads (hour, zone_id, n)
        select ${hour('h')}, z, 60 from generate_series(${HOURS} - 24, ${HOURS}) h, generate_series(1, ${ZONES}) z`,
      `insert into delivery_faults (website_id, kind, cause, counted, total, refused, began_at, seen_at, ended_at)
        select n % ${ZONES} + 1, 'bot', 'programs', 'reports', 60, 60, ${hour('n % 900')}, ${hour('n % 900')}, ${hour('n % 900')}
          from generate_series(1, ${ENDED}) n`,
    ])
      await sql.raw(statement).execute(tx);
  });
  last = new Date(Date.parse('2026-10-01T00:00:00Z') + HOURS * 3_600_000);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

it('reads the hour for the sums of all websites, and one website by its index', async () => {
  expect(await sumsSince(db, last)).toHaveLength(3);
  const hour = await planOf(db, async (tx) => await sumsSince(tx, last), ANALYZE);
  // The index of hours names blocks, each of which has a few hours more.
  expect(rowsMet(hour, 'delivery_hourly')).toBeLessThanOrEqual(24 * OF_AN_HOUR);
  const before = await planOf(db, async (tx) => await sumsOfDaysBefore(tx, 7, last), ANALYZE);
  expect(rowsMet(before, 'delivery_hourly')).toBeLessThanOrEqual(7 * 3);
  const after = await planOf(
    db,
    async (tx) => await sumsAfter(tx, 7, new Date(last.getTime() - 7_200_000)),
    ANALYZE,
  );
  expect(rowsMet(after, 'delivery_hourly')).toBeLessThanOrEqual(2 * 3);
  const facts = await planOf(db, async (tx) => await factsSince(tx, last), ANALYZE);
  expect(rowsMet(facts, 'refused_facts')).toBe(ZONES);
  const silent = await planOf(db, async (tx) => await sitesWithoutRequests(tx, last, 50), ANALYZE);
  expect(rowsMet(silent, 'tag_loads')).toBe(0);
  // The present hour, and for each website a day around the week before.
  expect(rowsMet(silent, 'delivery_hourly')).toBeLessThanOrEqual(48 * OF_AN_HOUR);
});

it('finds the open faults without reading those that have ended', async () => {
  for (const read of [
    openFaults,
    countFaults,
    async (tx: Database) => await untoldFaults(tx, last),
    async (tx: Database) => await faultsForOperator(tx, ['headers_removed'], last),
    async (tx: Database) => await faultsOfPublisher(tx, 7),
  ]) {
    const plan = await planOf(db, async (tx) => await read(tx), ANALYZE);
    expect(rowsMet(plan, 'delivery_faults')).toBe(0);
  }
});

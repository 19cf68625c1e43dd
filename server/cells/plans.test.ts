/** The queries that a cell and its marketplace repeat read what they need, not what others have. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { fillTables, planOf, rowsMet } from '../testing/database/plans.ts';
import { readCounts } from './cell/store.ts';
import { changedZoneIds, nextZoneIds, readZones } from './marketplace/store.ts';

const PUBLISHERS = 10_000;
/** Of these, so many belong to the cell, with a zone each. */
const OF_CELL = 20;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  const tables = ['cells', 'users', 'websites', 'ad_zones', 'ads', 'delivery_hourly', 'delivery_changes'];
  await fillTables(db, tables, async (tx) => {
    await sql`
    insert into cells (name, key_hash, delivery_url, added_at) values ('north', 'x', 'https://north.example', now())`.execute(
      tx,
    );
    await sql`
    insert into users (email, password, cell_id)
      select 'user' || n || '@example.test', 'x', case when n <= ${OF_CELL} then 1 end
        from generate_series(1, ${PUBLISHERS}) n`.execute(tx);
    await sql`
    insert into websites (user_id, name, url, category)
      select n, 'Site', 'https://site.example', 'Food' from generate_series(1, ${PUBLISHERS}) n`.execute(tx);
    await sql`
    insert into ad_zones (website_id, name, width, height, zone_type)
      select n, 'Zone', 300, 250, 'rectangle' from generate_series(1, ${PUBLISHERS}) n`.execute(tx);
    await sql`
    insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
        pricing_model, duration, status, start_date, end_date, payment_intent_id)
      select n, n, 'text', 'T', 'D', 'https://a.example', 100, 15, 'per_day', 30, 'active', now(),
          now() + interval '30 days', 'pi_' || n
        from generate_series(1, ${PUBLISHERS}) n`.execute(tx);
    await sql`
    insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
      select date_trunc('hour', now(), 'utc') - h * interval '1 hour', n, n, 'view', 1
        from generate_series(1, ${PUBLISHERS}) n, generate_series(1, 10) h`.execute(tx);
    await sql`
    insert into delivery_changes (zone_id, xid)
      select n % ${PUBLISHERS} + 1, n::text::xid8 from generate_series(1, ${PUBLISHERS}) n`.execute(tx);
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

// Proves SCALE-76
it('finds the ad zones of a cell, and their ads, without reading those of others', async () => {
  const next = await planOf(db, (tx) => nextZoneIds(tx, 1, 0, 100), { analyze: true });
  for (const table of ['users', 'websites', 'ad_zones'])
    expect([table, rowsMet(next, table)]).toEqual([table, OF_CELL]);
  expect(next.map((node) => node['Index Name'])).toContain('users_cell_id');
  const ids = await nextZoneIds(db, 1, 0, 100);
  expect(ids).toHaveLength(OF_CELL);
  const read = await planOf(db, (tx) => readZones(tx, ids), { analyze: true });
  expect(rowsMet(read, 'ads')).toBe(OF_CELL);
});

// Proves SCALE-77
it('finds what has changed for a cell by reading the changes since then only', async () => {
  const since = { horizon: String(PUBLISHERS - 50), after: 0, limit: 100 };
  const plan = await planOf(db, (tx) => changedZoneIds(tx, 1, since), { analyze: true });
  expect(rowsMet(plan, 'delivery_changes')).toBeLessThanOrEqual(51);
  expect(rowsMet(plan, 'ad_zones')).toBeLessThanOrEqual(51);
});

// Proves SCALE-78
it('reads the figures of the hours that have changed, and no others', async () => {
  const { rows } = await sql<{ hour: Date }>`select max(hour) as hour from delivery_hourly`.execute(db);
  const keys = [3, 4, 5].map((n) => ({ zoneId: n, adId: n, hour: rows[0]!.hour }));
  const plan = await planOf(db, (tx) => readCounts(tx, keys), { analyze: true });
  expect(rowsMet(plan, 'delivery_hourly')).toBe(3);
  expect(await readCounts(db, keys)).toHaveLength(3);
});

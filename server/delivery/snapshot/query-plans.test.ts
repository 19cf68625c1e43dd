import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { findShownAds, findZoneIds, findZones, nextSoldZoneIds } from './store.ts';

const ZONES = 20_000;
const ADS_PER_ZONE = 3;
const CHUNK = Array.from({ length: 500 }, (_, index) => 7000 + index);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  const tables = ['users', 'websites', 'ad_zones', 'ad_zone_products', 'ads'];
  await fillTables(db, tables, async (tx) => {
    await sql`
    insert into users (email, password)
      select 'user' || n || '@example.test', 'x' from generate_series(1, 4000) n`.execute(tx);
    await sql`
    insert into websites (user_id, name, url, category, monthly_visitors, is_active)
      select n % 2000 + 1, 'Site', 'https://site.example', 'Food', 1000, n % 20 <> 0
        from generate_series(1, ${ZONES / 2}) n`.execute(tx);
    await sql`
    insert into ad_zones (website_id, name, width, height, zone_type)
      select (n - 1) / 2 + 1, 'Zone', 300, 250, 'rectangle' from generate_series(1, ${ZONES}) n`.execute(tx);
    await sql`
    insert into ad_zone_products (ad_zone_id, ad_type, price, duration)
      select n % ${ZONES} + 1, 'text', 10, 1 from generate_series(1, ${2 * ZONES}) n`.execute(tx);
    await sql`
    insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
        commission_amount, pricing_model, duration, status, start_date, end_date, payment_intent_id, approved_at)
      select n % 2000 + 2001, n % ${ZONES} + 1, n % ${ZONES} + 1, 'text', 'T', 'D', 'https://a.example', 100, 15,
          'per_day', 30, 'active', now(), now() + interval '30 days', 'pi_' || n, now()
        from generate_series(1, ${ADS_PER_ZONE * ZONES}) n`.execute(tx);
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

it('loads a chunk of zones and their ads by reading only these zones and these ads', async () => {
  const zones = await planOf(db, (tx) => findZones(tx, CHUNK), { analyze: true });
  expect(rowsMet(zones, 'ad_zones')).toBe(CHUNK.length);
  expect(rowsMet(zones, 'ad_zone_products')).toBeLessThanOrEqual(2 * CHUNK.length);
  const ads = await planOf(db, (tx) => findShownAds(tx, CHUNK), { analyze: true });
  expect(rowsMet(ads, 'ads')).toBe(ADS_PER_ZONE * CHUNK.length);
});

it('finds asked zones and the next zones with live ads by an index, without reading the others', async () => {
  const { rows } = await sql<{ id: number; publicId: string }>`
    select id, public_id from ad_zones where id = any(${CHUNK})`.execute(db);
  const names = rows.map(({ publicId }) => publicId);
  const asked = await planOf(db, (tx) => findZoneIds(tx, names), { analyze: true });
  expect(rowsMet(asked, 'ad_zones')).toBe(CHUNK.length);
  expect((await findZoneIds(db, names)).toSorted((a, b) => a - b)).toEqual(CHUNK);
  const next = await planOf(db, (tx) => nextSoldZoneIds(tx, 7000, 500), { analyze: true });
  // One more zone tells that the last one has no further ads.
  expect(rowsMet(next, 'ads')).toBeLessThanOrEqual(ADS_PER_ZONE * 501);
  expect(next.map((node) => node['Index Name'])).toContain('ads_live');
  expect(await nextSoldZoneIds(db, 7000, 500)).toEqual(CHUNK.map((id) => id + 1));
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import {
  deleteArchivedBefore,
  findArchivedAd,
  selectArchive,
  selectArchiveOfWebsite,
} from './store-archive.ts';

const ADS = 20_000;
const YEAR_AGO = new Date('2025-01-01T00:00:00Z');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  const tables = ['users', 'websites', 'ad_zones', 'ads', 'ad_archive'];
  await fillTables(db, tables, async (tx) => {
    await sql`insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, 500) n`.execute(
      tx,
    );
    await sql`insert into websites (user_id, name, url, category) values (1, 'Site', 'https://site.example', 'Food')`.execute(
      tx,
    );
    await sql`insert into ad_zones (website_id, name, width, height, zone_type) values (1, 'Zone', 300, 250, 'rectangle')`.execute(
      tx,
    );
    await sql`
    insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
        pricing_model, duration, start_date, end_date, status, ended_reason, payment_intent_id)
      select n % 500 + 1, 1, 'text', 'Fresh ' || md5(n::text), 'About ' || md5((n * 7)::text), 'https://a.example', 10, 1,
          'per_day', 1, timestamptz '2025-06-01' + n * interval '5 minutes', timestamptz '2025-06-02' + n * interval '5 minutes',
          'completed', 'delivered', 'pi_' || n
        from generate_series(1, ${ADS}) n`.execute(tx);
    await sql`
    insert into ad_archive (ad_id, user_id, started_at, ended_at, advertiser, title, description)
      select id, user_id, timestamptz '2025-06-01' + id * interval '5 minutes',
          case when id % 3 > 0 then timestamptz '2025-06-02' + id * interval '5 minutes' end, 'Company ' || user_id, title,
          description
        from ads`.execute(tx);
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const analyzed = (run: (tx: Database) => Promise<unknown>) => planOf(db, run, { analyze: true });

// Proves DEL-61
it.each([
  ['the newest', '', 'ad_archive_newest'],
  ['by a rare word', 'c4ca4238a0b923820dcc509a6f75849b', 'ad_archive_words'],
  ['by a word that no ad has', 'zebra', 'ad_archive_words'],
  ['by a word that every ad has', 'fresh', 'ad_archive_newest'],
  ['by one of 500 advertisers', 'Company 77', 'ad_archive_'],
])('the archive is read %s by an index, at any page', async (_what, search, index) => {
  const middle = { startedAt: new Date('2025-08-20T00:00:00Z'), adId: ADS };
  for (const before of [null, middle]) {
    const plan = await analyzed((tx) => selectArchive(tx, { search, before, endedAfter: YEAR_AGO }, 25));
    expect(plan.some((node) => node['Index Name']?.startsWith(index))).toBe(true);
    expect(
      plan.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'ad_archive'),
    ).toEqual([]);
    expect(rowsMet(plan, 'ad_archive')).toBeLessThan(2000);
    // The joins read only the rows of the page.
    expect(rowsMet(plan, 'ads')).toBeLessThanOrEqual(25);
  }
});

it('the last ads of a website are read by an index', async () => {
  const plan = await analyzed((tx) => selectArchiveOfWebsite(tx, 1, YEAR_AGO, 6));
  expect(plan.some((node) => node['Index Name'] === 'ads_paid')).toBe(true);
  for (const table of ['ads', 'ad_archive']) expect(rowsMet(plan, table)).toBeLessThan(30);
});

// Proves DEL-61
it('reading one ad and deleting old ones use an index', async () => {
  const { rows } = await sql<{ publicId: string }>`select public_id from ads where id = 7`.execute(db);
  const one = await analyzed((tx) => findArchivedAd(tx, rows[0]?.publicId ?? '', YEAR_AGO));
  expect(rowsMet(one, 'ad_archive')).toBe(1);
  const sweep = await sql<{ 'QUERY PLAN': string }>`
    explain delete from ad_archive where ended_at <= ${YEAR_AGO}`.execute(db);
  expect(sweep.rows.map((row) => row['QUERY PLAN' as never]).join('\n')).toContain('ad_archive_ended');
  await deleteArchivedBefore(db, YEAR_AGO);
});

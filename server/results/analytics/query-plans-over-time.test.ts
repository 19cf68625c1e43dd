/** Figures over time are read by index. The rows read grow with hours and campaigns, not with events. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REASONS } from '#domain/delivery/reasons.ts';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, pagesMet, planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { selectBought, selectEmptyHours, selectReturned, selectYields } from './publisher/store.ts';
import { nextLiveZones, peopleOfZone, sumOwnZones, sumZoneOfAd } from './position/store.ts';
import { selectTwoCounts } from './publisher/two-counts.ts';
import { sumByReason } from './store-counting.ts';
import { listDueAds, namesUnowned, type Range, sumByGroup, sumByStep } from './store-range.ts';
import { busyZones, hoursOfZones } from './store-unusual.ts';
import { listOwn } from './store-withdrawals.ts';

/** Each user has one website, one zone and one bought ad. Every tenth ad had views in each hour of ten days. */
const USERS = 4000;
const HOURS = 240;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  // Insert the rows of a busy month. server/ads/guards.test.ts tests the triggers.
  const tables = [
    'users',
    'websites',
    'ad_zones',
    'ads',
    'payments',
    'disputes',
    'refunds',
    'ad_earnings',
    'earned_hours',
    'ledger_accounts',
    'ledger_balances',
    'delivery_hourly',
    'landing_hours',
    'withdrawals',
    'withdrawn_hours',
  ];
  await fillTables(db, tables, async (tx) => {
    for (const statement of [
      `insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, ${USERS}) n`,
      `insert into websites (user_id, name, url, category) select n, 'Site', 'https://s.example', 'Food' from generate_series(1, ${USERS}) n`,
      `insert into ad_zones (website_id, name, width, height, zone_type) select n, 'Zone', 1, 1, 'custom' from generate_series(1, ${USERS}) n`,
      `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
          pricing_model, duration, status, payment_intent_id, start_date, end_date)
        select n % ${USERS} + 1, n, 'text', 'T', 'D', 'https://x.example', 100, 15, 'per_day', 10, 'active', 'pi_' || n,
          '2026-10-01', '2026-10-11'
        from generate_series(1, ${USERS}) n`,
      `insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents, status, charge_id, paid_at)
        select id, user_id, 'sandbox', 'USD', payment_intent_id, 10000, 1500, 'succeeded', 'ch_' || id, start_date from ads`,
      `insert into refunds (payment_id, amount_cents, publisher_cents, commission_cents, cause, status)
        select id, 100, 85, 15, 'canceled', 'done' from payments`,
      `insert into disputes (dispute_id, payment_id, status, amount_cents, currency, opened_at)
        select 'dp_' || id, id, 'won', 10000, 'USD', now() from payments`,
      `insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
        select timestamptz '2026-10-01T00:00:00Z' + h * interval '1 hour', ads.id, ads.ad_zone_id, kind, 5
          from generate_series(0, ${HOURS - 1}) h, unnest('{view,click}'::text[]) kind, ads
          where ads.id % 20 in (6, 7)`,
      `insert into ad_earnings (ad_id, bought, until, publisher_cents, commission_cents, due_at)
        select id, 864000, end_date, 8500, 1500, end_date from ads`,
      `insert into ledger_accounts (kind, owner_id, currency, book)
        select kind, ad_id, 'USD', 'sandbox' from ad_earnings, unnest('{deferred_publisher,deferred_commission}'::text[]) kind`,
      `insert into ledger_balances (account_id, amount_cents) select id, -100 from ledger_accounts`,
      `insert into earned_hours (ad_id, hour, publisher_cents, commission_cents)
        select ads.id, timestamptz '2026-10-01T00:00:00Z' + h * interval '1 hour', 35, 6
          from ads, generate_series(0, ${HOURS - 1}) h where ads.id % 20 in (6, 7)`,
      `insert into landing_hours (ad_id, hour, zone_id, clicks, landings)
        select ad_id, hour, zone_id, n, 1 from delivery_hourly where kind = 'click'`,
      // A tenth of the publishers had an hour withdrawn each day.
      `insert into withdrawals (id, zone_id, from_hour, until_hour, made_at, signals) overriding system value
        select ads.id * 10 + day, ads.ad_zone_id, at, at + interval '1 hour', at + interval '1 hour', '[{}]'
          from ads, generate_series(0, 9) day,
            lateral (select timestamptz '2026-10-01T00:00:00Z' + day * interval '1 day' as at) as hours
          where ads.id % 20 in (6, 7)`,
      `insert into withdrawn_hours (withdrawal_id, hour, ad_id, kind, zone_id, n)
        select w.id, w.from_hour, ads.id, kind, ads.ad_zone_id, 1
          from withdrawals w join ads on ads.ad_zone_id = w.zone_id, unnest('{view,click}'::text[]) kind`,
    ]) {
      await sql.raw(statement).execute(tx);
    }
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const range: Range = {
  side: 'buyer',
  userId: 7,
  from: '2026-10-01',
  to: '2026-10-31',
  timezone: 'UTC',
  book: 'sandbox',
};
const PAGE = { after: null, limit: 101, unposted: [] };

const QUERIES: [string, (tx: Database) => Promise<unknown>][] = (['buyer', 'seller'] as const).flatMap(
  (side) => [
    [`a ${side}'s series`, (tx) => sumByStep(tx, { ...range, side }, 'day', [])],
    [`a ${side}'s breakdown by campaign`, (tx) => sumByGroup(tx, { ...range, side }, 'campaign', PAGE)],
    [`a ${side}'s breakdown by website`, (tx) => sumByGroup(tx, { ...range, side }, 'website', PAGE)],
  ],
);

describe('reads of figures over time', () => {
  it.each(QUERIES)('%s reads only its own rows, by index', async (_what, run) => {
    const plan = await planOf(db, run, { analyze: true });
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(plan.map((node) => node['Index Name'])).toContain('delivery_hourly_once');
    expect(rowsMet(plan, 'delivery_hourly')).toBe(2 * HOURS);
    expect(rowsMet(plan, 'earned_hours')).toBe(HOURS);
    expect(rowsMet(plan, 'payments')).toBe(2);
  });

  // Proves FIG-01
  it.each(['buyer', 'seller'] as const)(
    'finds the ads of a %s that are to be accrued by index',
    async (side) => {
      const plan = await planOf(db, (tx) => listDueAds(tx, { ...range, side }), { analyze: true });
      expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(rowsMet(plan, 'ad_earnings')).toBe(1);
    },
  );

  it('checks a filter by index on both sides', async () => {
    const { rows } = await sql<{ publicId: string }>`select public_id from websites where id = 7`.execute(db);
    const website = rows[0]?.publicId;
    for (const side of ['buyer', 'seller'] as const) {
      const plan = await planOf(db, (tx) => namesUnowned(tx, side, 7, { website }), { analyze: true });
      expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    }
  });

  // Proves DEL-39
  it.each(['buyer', 'seller'] as const)(
    'a %s’s counting report reads only its own hours, by index',
    async (side) => {
      const day = { ...range, side, from: '2026-10-05', to: '2026-10-05' };
      for (const [queried, hours] of [
        [{ ...range, side }, HOURS],
        [day, 24],
      ] as const) {
        const plan = await planOf(db, (tx) => sumByReason(tx, queried, 'day'), { analyze: true });
        expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
        expect(plan.map((node) => node['Index Name'])).toContain('delivery_hourly_once');
        expect(rowsMet(plan, 'delivery_hourly')).toBe(2 * hours);
        expect(rowsMet(plan, 'landing_hours')).toBe(hours);
      }
    },
  );

  // Proves SIVT-03
  it.each(['buyer', 'seller'] as const)('a %s’s withdrawn hours are read by index', async (side) => {
    const page = { before: null, limit: 51 };
    const plan = await planOf(db, (tx) => listOwn(tx, { ...range, side }, page), { analyze: true });
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(rowsMet(plan, 'withdrawn_hours')).toBe(20);
  });

  // Proves DEL-42
  it('finds unusual hours by index, both for one publisher and for all zones in one hour', async () => {
    const own = await planOf(db, (tx) => hoursOfZones(tx, { ...range, side: 'seller' }, new Date(0)), {
      analyze: true,
    });
    expect(own.filter((node) => node['Relation Name'] === 'delivery_hourly')).not.toEqual([]);
    expect(rowsMet(own, 'delivery_hourly')).toBe(2 * HOURS);
    const hour = new Date('2026-10-05T10:00:00Z');
    const all = await planOf(db, (tx) => busyZones(tx, hour), { analyze: true });
    for (const plan of [own, all]) {
      const scanned = plan
        .filter((node) => node['Node Type'] === 'Seq Scan')
        .map((node) => node['Relation Name']);
      expect(scanned).not.toContain('delivery_hourly');
    }
    // The views of that hour are too few for a comparison, so the scan of earlier hours is never run.
    const loops = all
      .filter((node) => node['Relation Name'] === 'delivery_hourly')
      .map((node) => node['Actual Loops']);
    expect(loops.toSorted((one = 0, other = 0) => one - other)).toEqual([0, USERS]);
  });

  it('reads one day of rows for one day, however long the ad ran', async () => {
    const day = { ...range, from: '2026-10-05', to: '2026-10-05' };
    for (const run of [
      (tx: Database) => sumByStep(tx, day, 'day', []),
      (tx: Database) => sumByGroup(tx, day, 'campaign', PAGE),
    ]) {
      const plan = await planOf(db, run, { analyze: true });
      expect(rowsMet(plan, 'delivery_hourly')).toBe(48);
      expect(rowsMet(plan, 'earned_hours')).toBe(24);
      expect(pagesMet(plan, 'delivery_hourly_once')).toBeLessThan(20);
    }
  });

  it('a publisher’s results read only their own rows, by index', async () => {
    await sql`insert into delivery_hourly (hour, zone_id, kind, n)
      select timestamptz '2026-09-01T00:00:00Z' + h * interval '1 hour', 7, 'decision', 20
        from generate_series(0, 999) h where h % 168 <> 100 or h < 672`.execute(db);
    await sql`analyze delivery_hourly`.execute(db);
    const seller = { ...range, side: 'seller' } as const;
    const page = { earning: [], after: null, limit: 101, parts: 7 };
    const times = { bought: new Date('2026-09-01'), compared: new Date('2025-10-01'), limit: 100 };
    const end = new Date('2026-10-12T16:00:00Z');
    for (const [read, run] of [
      // Those of as many days before, too: two rows of the ad and one of the zone in each hour.
      [2 * HOURS + 280 - 2 + 3 * HOURS, (tx) => selectYields(tx, seller, page)],
      // Those of the four weeks before, too.
      [2 * HOURS + 952 - 2, (tx) => selectEmptyHours(tx, seller, end, new Date(0))],
      [0, (tx) => selectReturned(tx, { userId: 7, book: 'sandbox' }, 50)],
      [0, (tx) => selectBought(tx, { userId: 7, book: 'sandbox', zone: undefined }, times)],
    ] satisfies [number, (tx: Database) => Promise<unknown>][]) {
      const plan = await planOf(db, run, { analyze: true });
      const scanned = plan.filter((node) => node['Node Type'] === 'Seq Scan');
      expect(scanned.map((node) => node['Relation Name']).filter((name) => name !== 'offer_pauses')).toEqual(
        [],
      );
      expect([read, rowsMet(plan, 'delivery_hourly')]).toEqual([read, read]);
      expect(rowsMet(plan, 'payments')).toBeLessThanOrEqual(2);
    }
    await sql`insert into site_page_views (website_id, date, page_views)
      select id, date '2026-10-01' + n, 100 from websites, generate_series(0, 9) n`.execute(db);
    await sql`analyze site_page_views`.execute(db);
    const { rows } = await sql<{ publicId: string }>`select public_id from websites where id = 7`.execute(db);
    const website = rows[0]?.publicId as string;
    const plan = await planOf(db, (tx) => selectTwoCounts(tx, seller, website), { analyze: true });
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(rowsMet(plan, 'delivery_hourly')).toBe(2 * HOURS + 278);
    expect(rowsMet(plan, 'site_page_views')).toBeLessThanOrEqual(11);
    const day = '2026-10-11';
    for (const run of [
      (tx: Database) => sumOwnZones(tx, 7, day),
      (tx: Database) => sumZoneOfAd(tx, { id: 7 }, 8, day),
      (tx: Database) => nextLiveZones(tx, 6, 200),
      (tx: Database) => peopleOfZone(tx, 7),
    ]) {
      const placed = await planOf(db, run, { analyze: true });
      expect(placed.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(rowsMet(placed, 'delivery_hourly')).toBeLessThanOrEqual(2 * HOURS + 952);
    }
    expect(await selectEmptyHours(db, seller, end, new Date(0))).toMatchObject([
      { zoneId: 7, weeks: 4, requests: 80 },
      { zoneId: 7, weeks: 3, requests: 60 },
    ]);
  });

  it('reads no more rows for more events in the same hours, nor for uncounted events and decisions', async () => {
    await sql`update delivery_hourly set n = n * 1000 where ad_id in (select id from ads where user_id = 7)`.execute(
      db,
    );
    await sql`
      insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
        select hour, ad_id, zone_id, kind, uncounted, 100
          from delivery_hourly, unnest(${REASONS}::text[]) as uncounted
          where ad_id in (select id from ads where user_id = 7)
        union all
        select hour, ad_id, zone_id, 'decision', '', 100
          from delivery_hourly where kind = 'view' and ad_id in (select id from ads where user_id = 7)`.execute(
      db,
    );
    await sql`analyze delivery_hourly`.execute(db);
    for (const [, run] of QUERIES.slice(0, 3)) {
      const plan = await planOf(db, run, { analyze: true });
      expect(rowsMet(plan, 'delivery_hourly')).toBe(2 * HOURS);
      expect(plan.map((node) => node['Relation Name'])).not.toContain('ad_events');
    }
    const [sums] = await sumByGroup(db, range, 'campaign', PAGE);
    // Ten of each were withdrawn.
    const counted = String(HOURS * 5000 - 10);
    expect([sums?.impressions, sums?.clicks]).toEqual([counted, counted]);
  });
});

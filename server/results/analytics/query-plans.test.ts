/** A user's figures are read by index, however much other users have sold. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
// oxlint-disable-next-line no-restricted-imports -- this test explains the stores' own queries on one set of tables
import {
  countAdsOfOwner,
  listAdsOfOwner,
  listPendingOfPublisher,
  listUnpaid,
  lockEndedAds,
} from '#server/ads/store.ts';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { findOpenPayment, findPaymentOfIntent, takeDuePayment } from '#server/money/checkout/payment.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf } from '#server/testing/database/query-plans.ts';
import {
  countActiveZones,
  listSales,
  sumDelivered,
  sumDeliveredSince,
  listDueSales,
  sumSales,
} from './store.ts';

const USERS = 8000;
const ADS = 30_000;
const OWN = { userId: 7, book: 'sandbox' } as const;
const MONTH = new Date('2026-11-01T00:00:00Z');
const PAGE = { before: 50_000, limit: 101 };

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  // Insert the rows of years of use. server/ads/guards.test.ts tests the triggers.
  const tables = [
    'users',
    'websites',
    'ad_zones',
    'ads',
    'payments',
    'disputes',
    'refunds',
    'ad_performance',
    'ad_earnings',
    'ledger_accounts',
    'ledger_balances',
  ];
  await fillTables(db, tables, async (tx) => {
    for (const statement of [
      `insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, ${USERS}) n`,
      `insert into websites (user_id, name, url, category) select n, 'Site', 'https://s.example', 'Food' from generate_series(1, ${USERS}) n`,
      `insert into ad_zones (website_id, name, width, height, zone_type) select n, 'Zone', 1, 1, 'custom' from generate_series(1, ${USERS}) n`,
      `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
          pricing_model, duration, status, payment_intent_id, start_date, end_date, approved_at,
          ended_reason)
        select n % ${USERS} + 1, (n * 7) % ${USERS} + 1, 'text', 'T', 'D', 'https://x.example', 100, 15, 'per_day', 1,
          case n % 20 when 0 then 'pending' when 1 then 'approved' when 2 then 'active' else 'completed' end,
          case when n % 20 > 1 then 'pi_' || n end,
          case when n % 20 > 1 then timestamptz '2026-01-01' + n * interval '5 minutes' end,
          case when n % 20 > 1 then timestamptz '2026-02-01' + n * interval '5 minutes' end,
          case when n % 20 > 0 then timestamptz '2026-01-01' + n * interval '5 minutes' end,
          case when n % 20 > 2 then 'delivered' end
        from generate_series(1, ${ADS}) n`,
      `insert into target_checks (ad_id, host) select id, 'coffee.example' from ads`,
      `insert into plans (user_id, request_id, body_hash, name)
        select 7, gen_random_uuid(), '', 'Plan' from generate_series(1, 2000)`,
      `insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents, status, charge_id, paid_at,
          next_check_at)
        select id, user_id, 'sandbox', 'USD', coalesce(payment_intent_id, 'open_' || id), 10000, 1500,
          case when status = 'approved' then 'open' else 'succeeded' end, 'ch_' || id, coalesce(start_date, approved_at),
          case when status = 'approved' then timestamptz '2026-01-01' + id * interval '5 minutes' end
        from ads where status <> 'pending'`,
      `insert into disputes (dispute_id, payment_id, status, amount_cents, currency, opened_at)
        select 'dp_' || id, id, 'won', 10000, 'USD', now() from payments`,
      `insert into refunds (payment_id, amount_cents, publisher_cents, commission_cents, cause, status)
        select id, 100, 85, 15, 'canceled', 'done' from payments where id % 6 = 0`,
      `insert into ad_earnings (ad_id, bought, until, publisher_cents, commission_cents)
        select id, 86400, end_date, 8500, 1500 from ads where start_date is not null`,
      `insert into ledger_accounts (kind, owner_id, currency, book)
        select kind, ad_id, 'USD', 'sandbox' from ad_earnings, unnest('{deferred_publisher,deferred_commission}'::text[]) kind`,
      `insert into ledger_balances (account_id, amount_cents) select id, -100 from ledger_accounts`,
      `insert into ad_performance (ad_id, date, impressions, clicks)
        select id, date '2026-10-20' + d, 5, 1 from ads, generate_series(1, 10) d where status <> 'pending' and id % 4 = 3`,
    ]) {
      await sql.raw(statement).execute(tx);
    }
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const QUERIES: [string, (tx: Database) => Promise<unknown>][] = [
  ['earnings', (tx) => sumSales(tx, { ...OWN, side: 'seller' }, MONTH)],
  ['spending', (tx) => sumSales(tx, { ...OWN, side: 'buyer' }, MONTH)],
  ['the publisher’s ads to accrue', (tx) => listDueSales(tx, { ...OWN, side: 'seller' })],
  ['the advertiser’s ads to accrue', (tx) => listDueSales(tx, { ...OWN, side: 'buyer' })],
  ['delivered impressions and clicks', (tx) => sumDelivered(tx, 7)],
  ['impressions and clicks delivered this month', (tx) => sumDeliveredSince(tx, 7, '2026-11-01')],
  ['active zones', (tx) => countActiveZones(tx, 7)],
  ['transactions', (tx) => listSales(tx, OWN, { before: null, limit: 101 })],
  [
    'the next page of transactions',
    (tx) => listSales(tx, OWN, { before: { paidAt: MONTH, id: 500 }, limit: 101 }),
  ],
  ['the advertiser’s own ads', (tx) => listAdsOfOwner(tx, 7, { now: MONTH }, PAGE)],
  [
    'a list of the advertiser’s own ads by a word',
    (tx) => listAdsOfOwner(tx, 7, { list: 'live', search: 'site', now: MONTH }, PAGE),
  ],
  ['the counts of the advertiser’s own ads', (tx) => countAdsOfOwner(tx, 7, MONTH)],
  ['the publisher’s pending ads', (tx) => listPendingOfPublisher(tx, 7, { after: 100, limit: 101 })],
  ['ended ads', (tx) => lockEndedAds(tx, new Date('2026-02-01T01:00:00Z'), 200)],
  ['unpaid ads', (tx) => listUnpaid(tx, { now: MONTH, deadline: new Date('2026-01-01T01:00:00Z') }, 0, 200)],
  ['the open payment of an ad', (tx) => findOpenPayment(tx, 1)],
  ['the payment of an intent', (tx) => findPaymentOfIntent(tx, 'pi_2')],
  [
    'payments to check with the provider',
    (tx) => takeDuePayment(tx, 'sandbox', new Date('2026-01-01T01:00:00Z')),
  ],
];

it.each(QUERIES)('reads %s by index', async (_what, run) => {
  const scans = (await planOf(db, run)).filter((node) => node['Node Type'] === 'Seq Scan');
  expect(scans.map((node) => node['Relation Name'])).toEqual([]);
});

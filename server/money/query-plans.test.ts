/** The queries of the inbox, the checks and the limit on declines read by index, however many rows there are. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { findDocument } from './documents/issued.ts';
import { findReceipt, listDocumentsOf, sumReversed } from './documents/store.ts';
import { hasDocument, listPapers } from './documents/store-months.ts';
import { sumBefore } from './transparency-log/balance.ts';
import { listStatementLines } from './transparency-log/store-statement.ts';
import { entriesWithoutTransaction, matchTransactions } from './books/store.ts';
import { countOpenDisputes, listOpenDisputes } from './books/store-books.ts';
import { listKept } from './ledger/kept.ts';
import { findDisputeOf } from './ledger/store-ad-ledger.ts';
import { readLeaves, readNodes } from './transparency-log/store.ts';
import { reopenSettled } from './refunds/disputed.ts';
import { holdIfPaidTogether, holdIfSamePerson } from './payees/same-person.ts';
import { blockedSince, cancelTested, deleteAttemptsBefore } from './checkout/store-attempts.ts';
import { hasStandingDispute, insertHold } from './disputes/store-disputes.ts';
import { listDeliveryDays, takeDueEvidence } from './disputes/store-evidence.ts';
import { findEvent, takeDueEvent } from './events/store-events.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const HOUR_AGO = new Date('2026-11-22T11:00:00Z');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  for (const statement of [
    `insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, 2000) n`,
    `insert into user_settings (user_id) select id from users`,
    `insert into websites (user_id, name, url, category) values (1, 'Site', 'https://s.example', 'Food')`,
    `insert into ad_zones (website_id, name, width, height, zone_type) values (1, 'Zone', 1, 1, 'custom')`,
    `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
        pricing_model, duration)
      select n, 1, 'text', 'T', 'D', 'https://x.example', 100, 15, 'per_day', 1 from generate_series(1, 2000) n`,
    `insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents, status, card, network)
      select id, user_id, 'sandbox', 'USD', 'pi_' || id, 10000, 1500, case when id % 9 = 0 then 'open' else 'canceled' end,
          'card' || id % 500, 'net' || id % 500
        from ads`,
    `insert into account_ties (account_id, user_id) select n, n + 1 from generate_series(1, 1999) n`,
    `insert into provider_events (id, source, type, payload, created_at, received_at, done_at)
      select 'evt_' || n, 'account', 'charge.updated', '{"objectId": "ch"}', now(),
          timestamptz '2026-01-01' + n * interval '1 minute', case when n % 100 > 0 then now() end
        from generate_series(1, 20000) n`,
    `insert into card_attempts (user_id, card, network, created_at)
      select n % 2000 + 1, 'card' || n % 500, 'net' || n % 500, timestamptz '2026-11-22 10:00Z' + n * interval '1 second'
        from generate_series(1, 7000) n`,
    `insert into disputes (dispute_id, payment_id, status, amount_cents, currency, opened_at)
      select 'dp_' || id, id, 'lost', 10000, 'USD', now() from payments;
      update disputes set closed_at = now(), evidence_next_at = case when id % 500 = 0 then now() end where id % 900 > 0`,
    `insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
      select timestamptz '2026-11-01' + n % 48 * interval '1 hour', n % 2000 + 1, 1, 'view', '', 1
        from generate_series(1, 20000) n on conflict do nothing`,
    `insert into withdrawals (zone_id, from_hour, until_hour, made_at, signals)
        values (1, '2026-11-01', '2026-11-03', now(), '[{}]');
      insert into withdrawn_hours (withdrawal_id, hour, ad_id, kind, zone_id, n)
        select w.id, timestamptz '2026-11-01' + n % 48 * interval '1 hour', n % 2000 + 1, 'view', 1, 1
          from withdrawals w, generate_series(1, 20000) n on conflict do nothing`,
    `alter table refunds disable trigger user;
      insert into refunds (payment_id, amount_cents, publisher_cents, commission_cents, cause, status, settled_by, created_at,
          updated_at)
        select p.id, 100, 85, 15, 'operator', 'done', case when p.id % 500 = 0 then d.id end, now(), now()
          from payments p join disputes d on d.payment_id = p.id;
      alter table refunds enable trigger user`,
    `insert into cancels (payment_id, state, refund_cents, kept_publisher_cents, fee_cents, created_at)
      select id, 'done', 100, 30, 30, now() from payments`,
    `insert into holds (user_id, ad_id, reason, external_ref, made_at)
      select 1, id, 'dispute', 'dp_' || id, now() from ads`,
    `insert into ledger_accounts (kind, owner_id, currency, book)
      select kind, n, 'USD', 'sandbox'
        from generate_series(1, 2000) n, unnest(array['publisher_payable', 'deferred_publisher']) kind
      union all select kind, null, 'USD', 'sandbox' from unnest(array['bank', 'provider_balance']) kind`,
    `insert into ledger_tx (kind, external_ref, occurred_at, recorded_at, ad_id)
        select case when n % 2 = 0 then 'accrual' else 'other' end, n, now(),
            timestamptz '2026-01-01' + n * interval '5 hours', n % 2000 + 1
          from generate_series(1, 1500) n;
      insert into ledger_postings (tx_id, account_id, amount_cents)
        select t.id, a.id, case when a.owner_id is null then 2 else -1 end
          from ledger_tx t
          join ledger_accounts a on a.owner_id = t.ad_id
            or a.kind = case t.kind when 'accrual' then 'bank' else 'provider_balance' end;`,
    `alter table refunds disable trigger user;
      insert into refunds (payment_id, cause, amount_cents, publisher_cents, commission_cents, look_at)
        select id, 'operator', 100, 85, 15, now() from payments;
      alter table refunds enable trigger user;
      insert into refund_tries (refund_id, payment_id, state, began_at, taken_by, returned_by)
        select id, payment_id, 'failed', now(), 'txn_' || id, 'txn_back_' || id from refunds;`,
    `insert into documents (book, kind, user_id, issued_at, payment_id, amount_cents, currency, seller, customer, content)
      select 'sandbox', 'receipt', user_id, now(), id, 10000, 'USD', '{}', '{}', '{}' from payments`,
    `insert into documents (book, kind, side, user_id, issued_at, month, amount_cents, currency, seller, customer, content)
      select 'sandbox', 'statement', 'buyer', id, now(), '2026-10-01', 10000, 'USD', '{}', '{}', '{}' from users`,
    `insert into provider_transactions (id, book, type, amount_cents, fee_cents, net_cents, currency, created_at, seen_at,
        ledger_tx_id)
      select t.external_ref, 'sandbox', 'charge', 1, 0, 1, 'USD', t.recorded_at, now(), case when t.id % 500 > 1 then t.id end
        from ledger_tx t where t.kind = 'other';
      insert into differences (book, kind, ref, amount_cents, currency, since)
        values ('sandbox', 'not_at_provider', '7', 1, 'USD', now())`,
    `insert into ledger_leaves (book, index, tx_id, account_id)
      select 'sandbox', row_number() over () - 1, tx_id, account_id from ledger_postings`,
    `insert into ledger_nodes (book, level, index, hash)
      select 'sandbox', level, index, sha256('') from generate_series(0, 9) level, generate_series(0, 2000) index`,
  ]) {
    await sql.raw(statement).execute(db);
  }
  await sql`vacuum analyze`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const window = { since: HOUR_AGO, allowed: { user: 5, card: 5, network: 20 } };
const publisher = { userId: 7, side: 'publisher', book: 'sandbox', currency: 'USD' } as const;
const month = { from: HOUR_AGO, to: NOW, after: null, limit: 100 };
const QUERIES: [string, (tx: Database) => Promise<unknown>][] = [
  ['an event', (tx) => findEvent(tx, 'evt_7')],
  ['the event that is due first', (tx) => takeDueEvent(tx, NOW)],
  ['the declines of a person', (tx) => blockedSince(tx, { userId: 7, network: 'net7' }, window)],
  [
    'the open payments of a card',
    (tx) =>
      cancelTested(tx, { userId: 7, card: 'card7', network: 'net7' }, window, { at: NOW, nextCheckAt: NOW }),
  ],
  ['the disputes of an ad', (tx) => hasStandingDispute(tx, 7)],
  ['a document', (tx) => findDocument(tx, { userId: 7, book: 'sandbox', number: 'R-2026-000007' })],
  [
    'the documents of a person',
    (tx) => listDocumentsOf(tx, { userId: 7, book: 'sandbox' }, { side: undefined, before: 1500, limit: 20 }),
  ],
  [
    'the documents of a person on one side',
    (tx) =>
      listDocumentsOf(tx, { userId: 7, book: 'sandbox' }, { side: 'publisher', before: 1500, limit: 20 }),
  ],
  ['the receipt of a payment', (tx) => findReceipt(tx, 7)],
  ['what was credited of a payment', (tx) => sumReversed(tx, 7)],
  [
    'the statement of a month',
    (tx) =>
      hasDocument(
        tx,
        { month: '2026-10', from: HOUR_AGO, to: NOW, commission: { from: HOUR_AGO, to: NOW } },
        { userId: 7, side: 'buyer', book: 'sandbox', currency: 'USD', kind: 'statement' },
      ),
  ],
  [
    'the people with documents for a month',
    (tx) => listPapers(tx, { month: '2026-09', book: 'sandbox', after: 1500, limit: 100 }),
  ],
  ["a publisher's balance", (tx) => sumBefore(tx, publisher, NOW)],
  ["a publisher's statement", (tx) => listStatementLines(tx, publisher, month)],
  ["an advertiser's statement", (tx) => listStatementLines(tx, { ...publisher, side: 'buyer' }, month)],
  [
    'the hashes of a proof',
    (tx) =>
      readNodes(tx, 'sandbox', [
        { level: 3, index: 7 },
        { level: 0, index: 9 },
      ]),
  ],
  ['the leaves from one on', (tx) => readLeaves(tx, 'sandbox', { from: 3000, limit: 100 })],
  ['the evidence that is due', (tx) => takeDueEvidence(tx, 'sandbox', NOW, NOW, 50)],
  ['the fees that were kept of payments', (tx) => listKept(tx, [7, 8])],
  ['the open disputes', (tx) => listOpenDisputes(tx, 100)],
  ['the number of open disputes', (tx) => countOpenDisputes(tx)],
  ['the dispute of an ad', (tx) => findDisputeOf(tx, 7)],
  ['the delivery of an ad', (tx) => listDeliveryDays(tx, 7)],
  ['the refunds that a dispute settled', (tx) => reopenSettled(tx, 7, NOW)],
  ['the cards of both sides', (tx) => holdIfSamePerson(tx, { id: 7, userId: 7, card: 'card7' }, NOW)],
  ['the sales of an account whose payouts have moved', (tx) => holdIfPaidTogether(tx, 7, NOW)],
  ['the holds of an ad', (tx) => insertHold(tx, { adId: 7, reason: 'dispute', externalRef: 'dp_7' }, NOW)],
];

it.each(QUERIES)('reads %s by index', async (_what, run) => {
  const scans = (await planOf(db, run)).filter((node) => node['Node Type'] === 'Seq Scan');
  const tables = scans.map((node) => node['Relation Name']);
  // Tables with one row.
  expect(tables.filter((table) => table !== 'websites' && table !== 'ad_zones')).toEqual([]);
});

// Proves BOOK-02
it('the comparison with the provider reads only the entries of new movements, and those of the last days', async () => {
  const plan = await planOf(
    db,
    async (tx) => {
      await entriesWithoutTransaction(tx, 'sandbox', HOUR_AGO, NOW);
      await matchTransactions(tx, 'sandbox');
    },
    { analyze: true },
  );
  expect(rowsMet(plan, 'ledger_tx')).toBeGreaterThan(0);
  expect(rowsMet(plan, 'ledger_tx')).toBeLessThanOrEqual(10);
  expect(rowsMet(plan, 'ledger_postings')).toBeLessThanOrEqual(20);
});

// Proves HOOK-07
it('forgets declines that have left the window', async () => {
  const before = await db.selectFrom('cardAttempts').select('id').execute();
  await deleteAttemptsBefore(db, HOUR_AGO);
  const after = await db.selectFrom('cardAttempts').select('createdAt').execute();
  expect(after.length).toBeLessThan(before.length);
  expect(after.every(({ createdAt }) => createdAt > HOUR_AGO)).toBe(true);
});

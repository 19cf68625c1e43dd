/** The queries of earnings and of an ad's ledger read by index, however many ads and entries there are. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { planOf, rowsMet } from '../../testing/plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { makeLiveAd } from '../../testing/story.ts';
import { findAccrualBefore, listEntries, listUncounted, sumUndelivered } from './store-ad-ledger.ts';
import { findAccounts } from './post.ts';
import {
  balancesOf,
  findAdToEarn,
  findEarnings,
  findPaid,
  listDue,
  requestedHours,
} from './store-earnings.ts';

let server: TestServer;
let ad: Ad;
beforeAll(async () => {
  server = await startTestServer();
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  ({ ad } = await makeLiveAd(seller, buyer));
  const { db } = server.ctx;
  await sql`with copies as (
      insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
          commission_amount, pricing_model, duration)
        select user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
            commission_amount, pricing_model, duration
          from ads, generate_series(1, 500) where ads.id = ${ad.id}
        returning id)
    insert into ad_earnings (ad_id, bought, until, due_at)
      select id, 86400, now(), case when id % 100 = 0 then now() - interval '1 hour' when id % 2 = 0 then now() + interval '1 day' end
        from copies`.execute(db);
  await sql`insert into ledger_accounts (kind, owner_id, currency, book)
    select kind, id, 'USD', 'sandbox' from ads, (values ('deferred_publisher'), ('refund_payable')) as k (kind)
    on conflict do nothing`.execute(db);
  await sql`with entries as (
      insert into ledger_tx (kind, external_ref, occurred_at, ad_id, meta)
        select 'accrual', format('%s:%s', id, n), now(), id, '{"from": 0, "to": 1}'
          from ads, generate_series(1, 5) as n where id <> ${ad.id}
        returning id, ad_id)
    insert into ledger_postings (tx_id, account_id, amount_cents)
      select e.id, a.id, side.cents
        from entries e
        cross join (values ('provider_clearing', 1), ('bank', -1)) as side (kind, cents)
        join lateral (
          select id from ledger_accounts where kind = case when side.cents = 1 then 'provider_clearing' else 'refund_payable' end
            and (owner_id is null or owner_id = e.ad_id)) as a on true`.execute(db);
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
    select date_trunc('hour', now()) - h * interval '1 hour', a.id, 900000 + a.id, 'view', 'bot', 1
      from ads a, generate_series(1, 20) as h`.execute(db);
  for (const table of [
    'ads',
    'ad_earnings',
    'ledger_accounts',
    'ledger_tx',
    'ledger_postings',
    'ledger_balances',
    'delivery_hourly',
    'payments',
  ])
    await sql`analyze ${sql.table(table)}`.execute(db);
});
afterAll(() => server.close());

// Proves LEDG-02, RUN-15
it('the hourly job reads only the ads that are due', async () => {
  const now = new Date();
  const plan = await planOf(server.ctx.db, (tx) => listDue(tx, now, null, 200), { analyze: true });
  expect(rowsMet(plan, 'ad_earnings')).toBeLessThanOrEqual(7);
});

// Proves LEDG-02, LEDG-06, RUN-15
it('the earnings and the ledger of an ad read only its own rows', async () => {
  const kinds = ['paid', 'accrual'];
  const plan = await planOf(
    server.ctx.db,
    async (tx) => {
      await findAdToEarn(tx, ad.id);
      await findEarnings(tx, ad.id);
      await findPaid(tx, ad.id);
      await balancesOf(tx, ['deferred_publisher'], ad.id, { book: 'sandbox', currency: 'USD' });
      await requestedHours(tx, ad.adZoneId, new Date());
      await findAccrualBefore(tx, ad.id + 1, 1_000_000);
      await listEntries(tx, ad.id + 1, { kinds, after: 0, limit: 10 });
      await sumUndelivered(tx, ad.id + 1);
      await listUncounted(tx, ad.id + 1, 'view', new Date(0));
    },
    { analyze: true },
  );
  for (const [table, most] of Object.entries({
    ads: 3,
    adEarnings: 1,
    ledger_tx: 100,
    ledger_postings: 100,
    ledger_balances: 3,
    delivery_hourly: 60,
  }))
    expect([table, rowsMet(plan, table) <= most, rowsMet(plan, table)]).toEqual([
      table,
      true,
      expect.any(Number),
    ]);
});

// Proves LEDG-02, RUN-15
it('an entry finds its accounts by index, those of the platform included', async () => {
  const accounts = [
    { kind: 'provider_clearing', ownerId: null },
    { kind: 'deferred_publisher', ownerId: ad.id },
    { kind: 'refund_payable', ownerId: ad.id },
  ] as const;
  const book = { book: 'sandbox', currency: 'USD' } as const;
  const found = await findAccounts(server.ctx.db, accounts, book);
  expect(found.size).toBe(3);
  const plan = await planOf(server.ctx.db, (tx) => findAccounts(tx, accounts, book), { analyze: true });
  expect(rowsMet(plan, 'ledger_accounts')).toBeLessThanOrEqual(3);
});

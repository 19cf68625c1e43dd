/** A publisher's balance reads only what is theirs and inside the hold days, however much the ledger has. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { makeEarned } from '../../testing/payouts.ts';
import { planOf, rowsMet } from '../../testing/plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { listForWeek, listPayouts, listSoldAds, listAccruals, listToNet } from './store.ts';
import { listExcess, takeDueTransfers } from './store-transfers.ts';

const BOOK = { book: 'sandbox', currency: 'USD' } as const;

let server: TestServer;
let seller: Client;
let adId: number;
beforeAll(async () => {
  server = await startTestServer();
  seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  ({ id: adId } = await makeEarned(server, seller, buyer, { price: '200.00', views: 50 }));
  const { db } = server.ctx;
  // Old entries of this ad, and other ads with entries of their own.
  await sql`with copies as (
      insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
          commission_amount, pricing_model, impressions)
        select user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
            commission_amount, pricing_model, impressions
          from ads, generate_series(1, 1000) where ads.id = ${adId}
        returning id)
    insert into ad_earnings (ad_id, bought, until) select id, 100, now() - interval '1 year' from copies`.execute(
    db,
  );
  await sql`insert into ledger_accounts (kind, owner_id, currency, book)
    select kind, 1000000 + n, 'USD', 'sandbox'
      from generate_series(1, 400) n, unnest(array['publisher_payable', 'refund_payable']) kind`.execute(db);
  await sql`with entries as (
      insert into ledger_tx (kind, external_ref, occurred_at, ad_id)
        select kind, format('%s:%s:%s', kind, id, n), now() - interval '1 year', id
          from ads, generate_series(1, 10) n, unnest(array['accrual', 'correction']) kind
          where id <= ${adId} + 100
        returning id, kind)
    insert into ledger_postings (tx_id, account_id, amount_cents)
      select e.id, a.id, side.cents
        from entries e
        cross join (values ('provider_clearing', 1), ('publisher_payable', -1)) as side (kind, cents)
        join lateral (
          select id from ledger_accounts
            where kind = side.kind and (owner_id is null or owner_id = 1000001 + e.id % 400)) as a on true`.execute(
    db,
  );
  for (const table of [
    'websites',
    'ad_zones',
    'payments',
    'ads',
    'ad_earnings',
    'ledger_accounts',
    'ledger_tx',
    'ledger_postings',
    'ledger_balances',
  ])
    await sql`analyze ${sql.table(table)}`.execute(db);
});
afterAll(() => server.close());

// Proves PAYO-08, RUN-15
it('the balance reads the recent accruals by index', async () => {
  const since = new Date(server.ctx.now().getTime() - 30 * 86_400_000);
  const plan = await planOf(server.ctx.db, (tx) => listAccruals(tx, [adId], since), { analyze: true });
  expect(rowsMet(plan, 'ledger_tx')).toBeLessThanOrEqual(2);
  expect(rowsMet(plan, 'ledger_postings')).toBeLessThanOrEqual(6);
});

// Proves PAYO-08, RUN-15
it('the balance of another publisher reads none of these ads', async () => {
  const other = await server.signIn('seller');
  const plan = await planOf(
    server.ctx.db,
    async (tx) => {
      await listSoldAds(tx, other.user.id, BOOK);
      await listPayouts(tx, other.user.id, 'sandbox', 100);
    },
    { analyze: true },
  );
  const met = ['ads', 'ad_earnings', 'payments', 'payouts'].map((table) => rowsMet(plan, table));
  expect(Math.max(...met)).toBeLessThanOrEqual(1);
});

// Proves PAYO-08, RUN-15
it('the job of each minute reads the recent reductions, and only the accounts of publishers', async () => {
  const now = server.ctx.now();
  const since = new Date(now.getTime() - 60 * 86_400_000);
  const reductions = await planOf(server.ctx.db, (tx) => listExcess(tx, 'sandbox', since), { analyze: true });
  expect(reductions.some((node) => node['Index Name'] === 'ledger_tx_reductions')).toBe(true);
  const plan = await planOf(
    server.ctx.db,
    async (tx) => {
      await listToNet(tx, BOOK);
      await listForWeek(tx, BOOK, { week: now, leastCents: 2500, after: 0, limit: 200 });
      await takeDueTransfers(tx, now, now, 100);
    },
    { analyze: true },
  );
  expect(rowsMet(plan, 'ledger_postings')).toBe(0);
  expect(rowsMet(plan, 'payout_transfers')).toBe(0);
});

/** The queries of earnings and of an ad's ledger read by index, however many ads and entries there are. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { fillLedger } from '#server/testing/money/ledger.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { findAccrualBefore, listEntries, listUncounted, sumUndelivered } from './store-ad-ledger.ts';
import { findAccounts } from './post.ts';
import { balancesOf } from './balances.ts';
import {
  countedHours,
  findPaid,
  listAdsToEarn,
  listDue,
  listSold,
  requestedHours,
} from './store-earnings.ts';

const server = useOwnServer();
let ad: Ad;
beforeAll(async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  ({ ad } = await makeLiveAd(seller, buyer));
  const db = server.owner;
  await fillLedger(db, ad.id, { copies: 500, entriesEach: 5 });
  await sql`update ad_earnings
    set due_at = case when ad_id % 100 = 0 then now() - interval '1 hour' when ad_id % 2 = 0 then now() + interval '1 day' end
    where ad_id <> ${ad.id}`.execute(db);
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
    select date_trunc('hour', now()) - h * interval '1 hour', a.id, 900000 + a.id, 'view', 'bot', 1
      from ads a, generate_series(1, 20) as h`.execute(db);
  await sql`analyze ad_earnings, delivery_hourly`.execute(db);
});

// Proves LEDG-02
it('the hourly job reads only the ads that are due', async () => {
  const now = new Date();
  const plan = await planOf(server.ctx.db, (tx) => listDue(tx, now, null, 200), { analyze: true });
  expect(rowsMet(plan, 'ad_earnings')).toBeLessThanOrEqual(7);
});

// Proves LEDG-02, LEDG-06
it('the earnings and the ledger of an ad read only its own rows', async () => {
  const kinds = ['paid', 'accrual'];
  const plan = await planOf(
    server.ctx.db,
    async (tx) => {
      await listAdsToEarn(tx, [ad.id]);
      await listSold(tx, [ad.id]);
      await findPaid(tx, ad.id);
      await balancesOf(tx, ['deferred_publisher'], ad.id, { book: 'sandbox', currency: 'USD' });
      await requestedHours(tx, [{ adId: ad.id, zoneId: ad.adZoneId, after: new Date() }]);
      await countedHours(tx, [{ adId: ad.id, kind: 'view', after: new Date() }]);
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

// Proves LEDG-02
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

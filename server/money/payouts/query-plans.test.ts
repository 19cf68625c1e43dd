/** A publisher's balance reads only their own entries inside the hold days, however many others the ledger has. */
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { fillLedger } from '#server/testing/money/ledger.ts';
import { makeEarned } from '#server/testing/money/payouts.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { listForWeek, listPayouts, listSoldAds, listAccruals, listToNet } from './store.ts';
import { listExcess, takeDueTransfers } from './store-transfers.ts';

const BOOK = { book: 'sandbox', currency: 'USD' } as const;

const server = useOwnServer();
let seller: Client;
let adId: number;
beforeAll(async () => {
  seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  ({ id: adId } = await makeEarned(server, seller, buyer, { price: '200.00', views: 50 }));
  await fillLedger(server.owner, adId, { copies: 1000, entriesEach: 2 });
});

it('the balance reads the recent accruals by index', async () => {
  const since = new Date(server.ctx.now().getTime() - 30 * 86_400_000);
  const plan = await planOf(server.ctx.db, (tx) => listAccruals(tx, [adId], since), { analyze: true });
  expect(rowsMet(plan, 'ledger_tx')).toBeLessThanOrEqual(2);
  expect(rowsMet(plan, 'ledger_postings')).toBeLessThanOrEqual(6);
});

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

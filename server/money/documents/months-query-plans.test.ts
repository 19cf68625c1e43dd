/** The documents of a month read that month, however long the marketplace has been open. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { countAt } from '#server/testing/figures.ts';
import { fillLedger } from '#server/testing/money/ledger.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { sumCommission } from './store-months.ts';

const product = { pricingModel: 'per_impression', duration: null, impressions: 1000 };

const server = useOwnServer({ start: new Date('2026-03-30T10:00:00Z') });
let userId: number;
/** Delivered in March 2026, after hundreds of entries a year before the present. */
let ad: Ad;
beforeAll(async () => {
  const [seller, other, buyer] = [
    await server.signIn('seller'),
    await server.signIn('seller'),
    await server.signIn('buyer'),
  ];
  userId = seller.user.id;
  ({ ad } = await makeLiveAd(seller, buyer, { product }));
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), 300, 0);
  server.clock.set(later(server.ctx.now(), HOUR_MS));
  await accrueDue(server.ctx);
  const { ad: another } = await makeLiveAd(other, buyer, { product });
  await fillLedger(server.owner, another.id, { copies: 9, entriesEach: 250 });
  // The entries of the other publisher are of the same month.
  await sql`alter table ledger_tx disable trigger user`.execute(server.owner);
  await sql`update ledger_tx set recorded_at = '2026-03-15' where ad_id >= ${another.id}`.execute(
    server.owner,
  );
  await sql`alter table ledger_tx enable trigger user`.execute(server.owner);
  await sql`analyze ledger_tx`.execute(server.owner);
});

it('the commission of a month reads the entries of that month and publisher only', async () => {
  const [from, to] = [new Date('2026-03-01'), new Date('2026-04-01')];
  const account = { userId, side: 'publisher', book: 'sandbox', currency: 'USD' } as const;
  const plan = await planOf(server.ctx.db, (tx) => sumCommission(tx, account, { from, to }), {
    analyze: true,
  });
  expect(rowsMet(plan, 'ledger_tx')).toBeGreaterThan(0);
  expect(rowsMet(plan, 'ledger_tx')).toBeLessThanOrEqual(10);
  expect(rowsMet(plan, 'ledger_postings')).toBeLessThanOrEqual(40);
  expect(plan.map((node) => node['Index Name'])).toContain('ledger_tx_earnings');
});

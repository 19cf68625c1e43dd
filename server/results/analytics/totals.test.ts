/** Over all time, series and breakdowns add up to the dashboard's cards. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  breakdownOf,
  chooseTimezone,
  countAt,
  refundPart,
  seriesOf,
  sumOf,
} from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useOwnServer({ start: new Date('2026-03-02T12:00:00Z') });

const pair = async () => [await server.signIn('seller'), await server.signIn('buyer')] as const;
const month = { product: { duration: 60 } };
const ALL = { from: '2000-01-01', to: '2033-01-01' };

describe('figures over all time', () => {
  // Proves FIG-03
  it('add up to the totals of the cards on both sides, including refunds', async () => {
    server.clock.set(new Date('2026-03-02T12:00:00Z'));
    const [seller, buyer] = await pair();
    const first = await makeLiveAd(seller, buyer, month);
    await refundPart(server, first.ad, 4000);
    await refundPart(server, first.ad, 1000);
    server.clock.advance(40 * 86_400_000);
    const second = await makeLiveAd(seller, buyer, month);
    const elsewhere = await makeLiveAd(await server.signIn('seller'), buyer, month);
    await makeLiveAd(seller, await server.signIn('buyer'), month);
    await countAt(server.ctx, first.ad, '2026-03-31T23:30:00Z', 12, 3);
    await countAt(server.ctx, second.ad, '2026-04-12T01:00:00Z', 7, 1);
    await countAt(server.ctx, elsewhere.ad, '2026-04-12T01:00:00Z', 5);

    const spending = (await buyer.get('/api/analytics/spending')).body;
    const { totalEarnings, delivered } = (await seller.get('/api/analytics/earnings')).body;
    expect([spending.totalSpending, totalEarnings]).toEqual(['250.00', '212.50']);
    for (const timezone of ['UTC', 'Asia/Tokyo', 'America/Denver']) {
      await chooseTimezone(buyer, timezone);
      await chooseTimezone(seller, timezone);
      const bought = await seriesOf(buyer, { ...ALL, side: 'buyer', step: 'month' });
      expect(sumOf(bought.buckets)).toEqual({
        impressions: 24,
        clicks: 4,
        amount: spending.delivered,
        paid: spending.totalSpending,
      });
      expect([spending.totalImpressions, spending.totalClicks]).toEqual([24, 4]);
      const sold = await seriesOf(seller, { ...ALL, side: 'seller', step: 'month' });
      expect(sumOf(sold.buckets)).toEqual({
        impressions: 19,
        clicks: 4,
        amount: delivered,
        paid: totalEarnings,
      });
      for (const by of ['campaign', 'zone', 'website']) {
        expect(sumOf(await breakdownOf(buyer, { ...ALL, side: 'buyer', by }))).toEqual(sumOf(bought.buckets));
        expect(sumOf(await breakdownOf(seller, { ...ALL, side: 'seller', by }))).toEqual(sumOf(sold.buckets));
      }
    }
  });

  // Proves FIG-03
  it('leave out a payment that came too late', async () => {
    const [seller, buyer] = await pair();
    const { ad } = await makeLiveAd(seller, buyer, month);
    await sql`insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents, status, charge_id, paid_at)
      select ad_id, user_id, book, currency, 'late_' || id, amount_cents, commission_cents, 'orphaned', 'late_' || id, paid_at
        from payments where ad_id = ${ad.id}`.execute(server.ctx.db);
    expect(sumOf((await seriesOf(buyer, { ...ALL, side: 'buyer', step: 'month' })).buckets).paid).toBe(
      '100.00',
    );
    expect(sumOf(await breakdownOf(seller, { ...ALL, side: 'seller', by: 'campaign' })).paid).toBe('85.00');
  });
});

/** Money is dated by its delivery, however late the earnings are posted. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt, refundPart, seriesOf } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const VIEWS = { pricingModel: 'per_impression', impressions: 100, duration: null, price: '100.00' };
const START = '2026-03-02';

const server = useOwnServer({ start: new Date(`${START}T12:00:00Z`) });
let seller: Client;
let buyer: Client;

async function sell(product: Record<string, unknown>): Promise<Ad> {
  server.clock.set(new Date(`${START}T12:00:00Z`));
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  return (await makeLiveAd(seller, buyer, { product })).ad;
}

/** The days with money since the start, as 'month-day amount'. */
async function daysOf(client: Client, side: 'buyer' | 'seller'): Promise<string[]> {
  const { buckets } = await seriesOf(client, { side, from: START, to: '2026-03-31' });
  return buckets
    .filter(({ amount }) => amount !== '0.00')
    .map(({ start, amount }) => `${start.slice(5)} ${amount}`);
}

/** Expects the same days before and after the earnings are posted. */
async function expectDays(bought: string[], earned: string[]): Promise<void> {
  expect([await daysOf(buyer, 'buyer'), await daysOf(seller, 'seller')]).toEqual([bought, earned]);
  await accrueDue(server.ctx, { early: true });
  expect([await daysOf(buyer, 'buyer'), await daysOf(seller, 'seller')]).toEqual([bought, earned]);
}

describe('the amount of an ad', () => {
  // Proves FIG-01
  it('with a goal is dated by its views, not by the payment or the entry in the ledger', async () => {
    const ad = await sell(VIEWS);
    await countAt(server.ctx, ad, '2026-03-03T09:00:00Z', 10);
    await countAt(server.ctx, ad, '2026-03-04T23:59:59Z', 7);
    await countAt(server.ctx, ad, '2026-03-05T00:00:00Z', 3);
    server.clock.set(new Date('2026-03-20T08:00:00Z'));
    await expectDays(['03-03 10.00', '03-04 7.00', '03-05 3.00'], ['03-03 8.50', '03-04 5.95', '03-05 2.55']);
    const { totals } = await seriesOf(buyer, { side: 'buyer', from: START, to: START });
    expect(totals).toMatchObject({ amount: '0.00', paid: '100.00' });
  });

  // Proves FIG-01
  it('per day is dated by its delivered time, without the silent days', async () => {
    const ad = await sell({ pricingModel: 'per_day', duration: 10, price: '2000.00' });
    // The day that begins at 12:00 is delivered; so is the one that begins three days later.
    await countAt(server.ctx, ad, '2026-03-02T13:00:00Z', 5);
    await countAt(server.ctx, ad, '2026-03-05T13:00:00Z', 5);
    server.clock.set(new Date('2026-03-06T18:00:00Z'));
    // In whole dollars, because the payment took a moment.
    const rounded = (days: string[]) =>
      days.map((day) => day.replace(/[\d.]+$/, (x) => String(Math.round(Number(x)))));
    const expectWholeDays = async () => {
      const half = ['03-02', '03-03', '03-05', '03-06'];
      expect(rounded(await daysOf(buyer, 'buyer'))).toEqual(half.map((day) => `${day} 100`));
      expect(rounded(await daysOf(seller, 'seller'))).toEqual(half.map((day) => `${day} 85`));
    };
    await expectWholeDays();
    await runMoneyWork(server.ctx);
    await expectWholeDays();
  });

  // Proves FIG-01, FIG-02
  it('falls on the day on which traffic was withdrawn, or a lost dispute took it back', async () => {
    const ad = await sell(VIEWS);
    await countAt(server.ctx, ad, '2026-03-03T09:00:00Z', 20);
    server.clock.set(new Date('2026-03-03T12:00:00Z'));
    await accrueDue(server.ctx);
    server.clock.set(new Date('2026-03-05T12:00:00Z'));
    const hour = new Date('2026-03-03T09:00:00Z');
    await sql`select withdraw_traffic(${server.ctx.now()}, ${ad.adZoneId}, ${hour}, ${later(hour, HOUR_MS)},
      '[{"signal": "network", "value": 1, "bound": 0}]')`.execute(server.ctx.db);
    await countAt(server.ctx, ad, '2026-03-05T10:00:00Z', 4);
    await expectDays(['03-03 20.00', '03-05 -16.00'], ['03-03 17.00', '03-05 -13.60']);

    server.clock.set(new Date('2026-03-08T12:00:00Z'));
    for (const play of ['dispute', 'dispute_lost']) {
      expect(await server.anyone().post('/dev/sandbox', { play, ad: ad.publicId })).toMatchObject({
        status: 200,
      });
      await checkPayments(server.ctx);
    }
    await expectDays(
      ['03-03 20.00', '03-05 -16.00', '03-08 -4.00'],
      ['03-03 17.00', '03-05 -13.60', '03-08 -3.40'],
    );
    expect((await buyer.get('/api/analytics/spending')).body).toMatchObject({
      totalSpending: '0.00',
      delivered: '0.00',
      notDelivered: '0.00',
    });
  });
});

// Proves FIG-02
it('a refund of what was not delivered changes only what is not delivered yet, and the payment', async () => {
  const ad = await sell(VIEWS);
  await countAt(server.ctx, ad, '2026-03-03T09:00:00Z', 20);
  server.clock.set(new Date('2026-03-04T12:00:00Z'));
  await refundPart(server, ad, 3000);
  expect((await buyer.get('/api/analytics/spending')).body).toMatchObject({
    totalSpending: '70.00',
    delivered: '20.00',
    notDelivered: '50.00',
  });
  expect((await seller.get('/api/analytics/earnings')).body).toMatchObject({
    totalEarnings: '59.50',
    delivered: '17.00',
    notDelivered: '42.50',
  });
  await expectDays(['03-03 20.00'], ['03-03 17.00']);
  const { totals } = await seriesOf(buyer, { side: 'buyer', from: START, to: START });
  expect(totals.paid).toBe('70.00');
});

// Proves FIG-02
it('an ad is delivered as far as the balance of its publisher says, at each moment', async () => {
  const ad = await sell({ pricingModel: 'per_day', duration: 2, price: '9.99' });
  for (const hours of [5, 24, 30, 60]) {
    server.clock.set(later(new Date(`${START}T12:00:00Z`), hours * HOUR_MS));
    await countAt(server.ctx, ad, server.ctx.now().toISOString(), 1);
    const { delivered } = (await seller.get('/api/analytics/earnings')).body;
    const { pending, available, held } = (await seller.get('/api/payouts')).body;
    expect([hours, Number(delivered)]).toEqual([hours, Number(pending) + Number(available) + Number(held)]);
    expect(Number(delivered)).toBeGreaterThan(0);
  }
});

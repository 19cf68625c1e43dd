/** The quote and the cancellation of a campaign, also when views or other requests come at the same moment. */
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/time.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { pauseForDispute, resumeAfterDispute } from '#server/ads/life/dispute.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { requireBalance } from '#server/testing/money/refunds.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd } from '#server/testing/story.ts';
import { accrueDue } from '../../ledger/accrue.ts';
import { ledgerImbalances } from '../../ledger/check.ts';
import { sendDueRefunds } from '../send.ts';

const server = useOwnServer({ start: new Date('2026-03-02T00:00:00Z') });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});
afterEach(async () => {
  await accrueDue(server.ctx);
  await requireBalance(server.ctx);
});

const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };
const DAYS = { pricingModel: 'per_day', duration: 10, price: '86.40' };
const inTransaction = (work: (tx: Tx) => Promise<void>) => server.ctx.db.transaction().execute(work);
const live = async (product: Record<string, unknown>) => await makeLiveAd(seller, buyer, { product });
const quote = (ad: Ad, client = buyer) => client.get(`/api/ads/${ad.publicId}/refund-quote`);
const cancel = (ad: Ad, refundAmount: unknown, client = buyer) =>
  client.post(`/api/ads/${ad.id}/cancel`, refundAmount === undefined ? {} : { refundAmount });
const read = async (ad: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${ad.id}`)).body as Ad;
const count = (ad: Ad, views: number) => countAt(server.ctx, ad, server.clock.now().toISOString(), views);
const refundsOf = async (ad: Ad) => {
  const rows = await server.ctx.db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select(['refunds.amountCents', 'refunds.cause', 'refunds.status'])
    .where('payments.adId', '=', ad.id)
    .execute();
  return rows.map(({ amountCents, cause, status }) => `${amountCents} ${cause} ${status}`);
};
const earnedOf = (ad: Ad) =>
  server.ctx.db
    .selectFrom('adEarnings')
    .select(['units', 'publisherCents', 'commissionCents'])
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
/** The page requests ads in each hour of the next days, so that no day is silent. */
async function requests(zoneId: number, days: number): Promise<void> {
  await sql`
    insert into delivery_hourly (hour, zone_id, kind, reason, n)
      select date_trunc('hour', ${server.clock.now()}::timestamptz) + hour * interval '1 hour', ${zoneId}, 'decision', '', 1
        from generate_series(0, ${days * 24}::integer) as hour`.execute(server.ctx.db);
}

describe('a campaign with a goal', () => {
  // Proves REFU-04, REFU-05
  it('is canceled for exactly the quote, and both sides are told the delivery and the refund', async () => {
    const { ad } = await live(VIEWS);
    await count(ad, 333);
    const answer = await quote(ad);
    expect([answer.status, answer.body]).toEqual([
      200,
      // 85.00 and 15.00 for 333 of 1,000: 28.30 and 4.99, each rounded down.
      {
        delivered: 333,
        bought: 1000,
        refundAmount: '66.71',
        validUntil: expect.any(String),
        cancelFee: '0.00',
        sentence: 'You can cancel 5,000 more campaigns within 24 hours.',
        cancelsLeft: 5000,
      },
    ]);
    const canceled = await cancel(ad, '66.71');
    expect([canceled.status, canceled.body]).toEqual([
      200,
      expect.objectContaining({ id: ad.id, status: 'completed', endedReason: 'canceled', paused: null }),
    ]);
    expect(await refundsOf(ad)).toEqual(['6671 canceled owed']);
    expect(await earnedOf(ad)).toEqual({ units: 333, publisherCents: 2830, commissionCents: 499 });
    for (const side of [buyer, seller]) {
      const mail = (await mailTo(server.ctx, side.user.email)).find(({ kind }) => kind === 'ad-ended');
      expect(mail?.text).toContain('It delivered 333 of 1,000 impressions.');
      expect(mail?.text).toContain('$66.71');
    }
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(ad)).toEqual(['6671 canceled done']);
  });

  // Proves REFU-05
  it('is canceled for the present quote if the given amount is lower, and not if it is higher', async () => {
    const { ad } = await live(VIEWS);
    await count(ad, 500);
    const refused = await cancel(ad, '50.01');
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: expect.any(String), delivered: 500, bought: 1000, refundAmount: '50.00' },
    ]);
    expect(await read(ad)).toMatchObject({ status: 'active', endedReason: null });
    expect((await cancel(ad, 0)).status).toBe(200);
    expect(await refundsOf(ad)).toEqual(['5000 canceled owed']);
  });

  // Proves REFU-05
  it('is not canceled for an earlier quote after another view was counted', async () => {
    const { ad } = await live(VIEWS);
    const { refundAmount } = (await quote(ad)).body;
    expect(refundAmount).toBe('100.00');
    await count(ad, 1);
    expect((await cancel(ad, refundAmount)).body).toMatchObject({ delivered: 1, refundAmount: '99.91' });
    expect((await cancel(ad, '99.91')).status).toBe(200);
  });

  // Proves REFU-05
  it('that is canceled never runs on, and counts nothing more', async () => {
    const { ad } = await live(VIEWS);
    await count(ad, 10);
    await cancel(ad, '0');
    await count(ad, 10);
    expect(await read(ad)).toMatchObject({ status: 'completed', totalImpressions: 10 });
    const { count: reasons } = await server.ctx.db
      .selectFrom('adEvents')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('adId', '=', ad.id)
      .where('reason', '=', 'not_live')
      .executeTakeFirstOrThrow();
    expect(Number(reasons)).toBe(10);
  });
});

describe('a campaign by the day', () => {
  // Proves REFU-05
  it('is canceled for a quote of the last two minutes, as of its time', async () => {
    const { ad, zone } = await live(DAYS);
    await requests(zone.id, 3);
    server.clock.set(new Date(new Date(ad.startDate as string).getTime() + DAY_MS + 500));
    // 10 days for 86.40, of which 1 day is over. The amount falls after 70 seconds more, and again after 188.
    const first = (await quote(ad)).body;
    expect(first).toMatchObject({ bought: 864_000, refundAmount: '77.77' });
    server.clock.advance(90 * SECOND_MS);
    const later = (await quote(ad)).body;
    expect(later).toMatchObject({ refundAmount: '77.76' });
    expect(later.delivered).toBeGreaterThanOrEqual(first.delivered + 90);
    // No quote had this amount.
    expect((await cancel(ad, '77.78')).body).toMatchObject({ refundAmount: '77.76' });
    // An hourly accrual in between does not matter.
    await accrueDue(server.ctx);
    expect((await cancel(ad, first.refundAmount)).status).toBe(200);
    expect(await refundsOf(ad)).toEqual(['7777 canceled owed']);
    expect(await earnedOf(ad)).toMatchObject({
      units: first.delivered,
      publisherCents: 734,
      commissionCents: 129,
    });
    expect((await read(ad)).endDate).toBe(
      new Date(new Date(first.validUntil).getTime() - 2 * MINUTE_MS).toISOString(),
    );
  });

  // Proves REFU-05
  it('is not canceled for a quote of more than two minutes ago', async () => {
    const { ad, zone } = await live(DAYS);
    await requests(zone.id, 3);
    server.clock.advance(HOUR_MS);
    const { refundAmount } = (await quote(ad)).body;
    server.clock.advance(10 * MINUTE_MS);
    expect((await cancel(ad, refundAmount)).status).toBe(409);
    expect((await cancel(ad, (await quote(ad)).body.refundAmount)).status).toBe(200);
  });

  // Proves REFU-05
  it('is canceled for its quote although the page has requested its first ad of the day meanwhile', async () => {
    const { ad, zone } = await live(DAYS);
    server.clock.advance(5 * HOUR_MS);
    expect((await quote(ad)).body).toMatchObject({ delivered: 0, refundAmount: '86.40' });
    await requests(zone.id, 1);
    server.clock.advance(30 * SECOND_MS);
    expect((await quote(ad)).body.delivered).toBeGreaterThan(5 * 3600);
    expect((await cancel(ad, '86.40')).status).toBe(200);
    expect(await refundsOf(ad)).toEqual(['8640 canceled owed']);
    expect(await earnedOf(ad)).toEqual({ units: 0, publisherCents: 0, commissionCents: 0 });
  });

  // Proves REFU-05
  it('that is over has nothing to cancel, also before the job completes it', async () => {
    const { ad, zone } = await live(DAYS);
    await requests(zone.id, 10);
    server.clock.advance(10 * DAY_MS);
    expect((await quote(ad)).body).toMatchObject({ delivered: 864_000, refundAmount: '0.00' });
    await completeDueAds(server.ctx);
    expect((await quote(ad)).status).toBe(409);
    expect((await cancel(ad, '0.00')).status).toBe(409);
    expect(await read(ad)).toMatchObject({ status: 'completed', endedReason: 'delivered' });
    expect(await refundsOf(ad)).toEqual([]);
  });
});

// Proves REFU-05
it('refuses a missing or invalid amount, another advertiser’s campaign and one that is not running', async () => {
  const { ad, product } = await live(VIEWS);
  for (const amount of [undefined, null, '', 'all', '-1', '1.001', {}, [], '99999999999999'])
    expect([amount, (await cancel(ad, amount)).status]).toEqual([amount, 400]);
  const other = await server.signIn('buyer');
  for (const client of [other, seller])
    expect([(await quote(ad, client)).status, (await cancel(ad, '0', client)).status]).toEqual([404, 404]);
  expect((await buyer.get('/api/ads/2000000000/refund-quote')).status).toBe(404);
  const waiting = await makeAd(buyer, product);
  expect([(await quote(waiting)).status, (await cancel(waiting, '0')).status]).toEqual([409, 409]);
  await approve(seller, waiting);
  expect([(await quote(waiting)).status, (await cancel(waiting, '0')).status]).toEqual([409, 409]);
  expect(await read(ad)).toMatchObject({ status: 'active' });
});

// Proves REFU-05
it('refuses to cancel while the payment is in dispute', async () => {
  const { ad } = await live(VIEWS);
  await inTransaction((tx) => pauseForDispute(server.ctx, tx, { adId: ad.id, isInquiry: false }));
  expect(await read(ad)).toMatchObject({ status: 'active', paused: 'dispute' });
  expect((await cancel(ad, '0')).body.message).toContain('disputed');
  await inTransaction((tx) => resumeAfterDispute(server.ctx, tx, ad.id));
  expect((await cancel(ad, '0')).status).toBe(200);
});

describe('at the same moment', () => {
  // Proves REFU-05
  it('of several cancellations, one wins', async () => {
    const { ad } = await live(VIEWS);
    const answers = await Promise.all(Array.from({ length: 6 }, () => cancel(ad, '100.00')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
    expect(await refundsOf(ad)).toEqual(['10000 canceled owed']);
  });

  // Proves REFU-05
  it('either a cancellation or the last view wins', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 6; round++) {
      const { ad } = await live(VIEWS);
      await count(ad, 999);
      const { refundAmount } = (await quote(ad)).body;
      const [answer] = await Promise.all(
        round % 2 === 0
          ? [cancel(ad, refundAmount), count(ad, 1)]
          : [count(ad, 1).then(() => cancel(ad, refundAmount))],
      );
      const { endedReason, totalImpressions } = await read(ad);
      const expected =
        endedReason === 'canceled'
          ? { status: 200, totalImpressions: 999, refunds: ['11 canceled owed'] }
          : { status: 409, totalImpressions: 1000, refunds: [] };
      expect({ status: answer.status, totalImpressions, refunds: await refundsOf(ad) }).toEqual(expected);
      outcomes.add(endedReason as string);
      await accrueDue(server.ctx);
      expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
    }
    expect(outcomes).toContain('delivered');
  });
});

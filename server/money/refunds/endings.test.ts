/** Campaigns that end without their advertiser asking: silent tags, unfinished quotas, operators, withdrawn traffic. */
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { changeZone } from '#server/market/inventory/offer.ts';
import { takeDownAd } from '#server/operator/decisions/reports.ts';
import { restore, suspend } from '#server/operator/decisions/suspend.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { applyWaitingEvents } from '#server/testing/money/sandbox.ts';
import { requireBalance } from '#server/testing/money/refunds.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { refundByOperator } from './by-operator.ts';
import { endOverdueAds } from './endings.ts';
import { sendDueRefunds } from './send.ts';

const server = useOwnServer({ start: new Date('2026-03-02T00:00:00Z') });
afterEach(async () => {
  await accrueDue(server.ctx);
  await endOverdueAds(server.ctx);
  await requireBalance(server.ctx);
});

const CLI = { id: null };
const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };
const DAYS = { pricingModel: 'per_day', duration: 10, price: '100.00' };

async function story(product: Record<string, unknown> = VIEWS) {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  return { seller, buyer, ...(await makeLiveAd(seller, buyer, { product })) };
}
const read = async (client: Client, ad: Ad): Promise<Ad> =>
  (await client.get(`/api/ads/${ad.id}/details`)).body as Ad;
const count = (ad: Ad, views: number) => countAt(server.ctx, ad, server.clock.now().toISOString(), views);
const refundsOf = async (ad: Ad) => {
  const rows = await server.ctx.db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select(['refunds.amountCents', 'refunds.cause'])
    .where('payments.adId', '=', ad.id)
    .orderBy('refunds.id')
    .execute();
  return rows.map(({ amountCents, cause }) => `${amountCents} ${cause}`);
};
const mails = async (client: Client, kind: string) =>
  (await mailTo(server.ctx, client.user.email)).filter((mail) => mail.kind === kind);
const requested = async (zoneId: number) =>
  await server.ctx.db
    .updateTable('adZones')
    .set({ tagSeenAt: server.clock.now() })
    .where('id', '=', zoneId)
    .execute();
/** Does the work of each minute's jobs. */
async function jobs(): Promise<void> {
  const now = server.clock.now();
  await extendForSilentDays(server.ctx, now);
  await completeDueAds(server.ctx, now);
  await accrueDue(server.ctx);
  await endOverdueAds(server.ctx);
}

/** Takes an ad down and does what follows. */
async function endAndForget(adId: number): Promise<void> {
  await takeDownAd(server.ctx, CLI, { id: adId, reason: 'Forbidden' });
  await jobs();
}

describe('a tag that requests no ads', () => {
  // Proves REFU-07
  it('pauses its campaigns after 72 hours, and the first request resumes them', async () => {
    const { seller, buyer, ad, zone } = await story();
    server.clock.advance(DAY_MS);
    await requested(zone.id);
    server.clock.advance(3 * DAY_MS - HOUR_MS);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ status: 'active', paused: null });
    server.clock.advance(2 * HOUR_MS);
    await jobs();
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ status: 'active', paused: 'tag_silent' });
    for (const side of [seller, buyer]) expect(await mails(side, 'tag-silent')).toHaveLength(1);
    await requested(zone.id);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ paused: null });
    server.clock.advance(12 * DAY_MS);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ status: 'active', paused: 'tag_silent' });
  });

  // Proves REFU-07
  it.each([
    ['with a goal', VIEWS],
    ['by the day', DAYS],
  ])('ends a campaign %s after 14 days and refunds its undelivered part', async (_what, product) => {
    const { seller, buyer, ad } = await story(product);
    for (let day = 0; day < 14; day++) {
      await jobs();
      expect(await read(buyer, ad)).toMatchObject({ status: 'active', endedReason: null });
      server.clock.advance(DAY_MS);
    }
    server.clock.advance(1000);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({
      status: 'completed',
      endedReason: 'tag_silent',
      paused: null,
    });
    expect(await refundsOf(ad)).toEqual(['10000 tag_silent']);
    for (const side of [seller, buyer]) {
      const [mail] = await mails(side, 'ad-ended');
      expect(mail?.text).toContain('has requested no ads for 14 days');
      expect(mail?.text).toContain('$100.00');
    }
    await jobs();
    expect(await refundsOf(ad)).toHaveLength(1);
  });

  // Proves REFU-07
  it('is not silent if the figures of the hour have a valid request', async () => {
    const { buyer, ad, zone } = await story();
    server.clock.advance(4 * DAY_MS);
    await sql`
      insert into delivery_hourly (hour, zone_id, kind, reason, n)
        values (date_trunc('hour', ${later(server.clock.now(), -HOUR_MS)}::timestamptz), ${zone.id}, 'decision', '', 1)`.execute(
      server.ctx.db,
    );
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ paused: null });
  });

  it('is looked at when it could be silent, and the looks of tags that are in use spread', async () => {
    const { ad, zone } = await story();
    await jobs();
    const looks = async () =>
      await server.ctx.db.selectFrom('tagLooks').select('lookAt').where('adId', '=', ad.id).execute();
    const hoursUntil = async () =>
      ((await looks())[0]!.lookAt.getTime() - server.clock.now().getTime()) / HOUR_MS;
    const spread = await hoursUntil();
    expect(spread).toBeGreaterThan(35);
    expect(spread).toBeLessThan(73);
    server.clock.advance(spread * HOUR_MS + 1000);
    await jobs();
    if (spread < 72) expect(spread + (await hoursUntil())).toBeCloseTo(72, 1);
    server.clock.advance(3 * DAY_MS);
    await jobs();
    // Its campaign is paused, and each run asks whether it was heard.
    expect(await looks()).toEqual([]);
    await requested(zone.id);
    await jobs();
    expect(await looks()).toHaveLength(1);
    await endAndForget(ad.id);
    expect(await looks()).toEqual([]);
    expect(await server.ctx.db.selectFrom('unsettledAds').select('adId').execute()).toEqual([]);
  });

  // Proves REFU-07
  it('is not silent while its zone is paused, nor from before the pause', async () => {
    const { seller, buyer, ad, zone } = await story();
    server.clock.advance(DAY_MS);
    const offer = (isActive: boolean) =>
      changeZone(
        server.ctx,
        { id: seller.user.id, role: 'seller' },
        {
          params: { ref: { id: zone.id } },
          body: { isActive },
        },
      );
    await offer(false);
    server.clock.advance(30 * DAY_MS);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ status: 'active', paused: 'zone' });
    await offer(true);
    server.clock.advance(2 * DAY_MS);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ status: 'active', paused: null });
    server.clock.advance(2 * DAY_MS);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ paused: 'tag_silent' });
  });
});

// Proves REFU-07
it('ends a campaign with a goal 90 days after its start and refunds what is left', async () => {
  const { seller, buyer, ad, zone } = await story();
  await count(ad, 400);
  for (let days = 0; days < 90; days += 2) {
    await requested(zone.id);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ status: 'active' });
    server.clock.advance(2 * DAY_MS);
  }
  server.clock.advance(1000);
  await requested(zone.id);
  await jobs();
  expect(await read(seller, ad)).toMatchObject({ status: 'completed', endedReason: 'quota_unfinished' });
  expect(await refundsOf(ad)).toEqual(['6000 quota_unfinished']);
  for (const side of [seller, buyer])
    expect((await mails(side, 'ad-ended'))[0]?.text).toContain('400 of 1,000 impressions');
});

describe('an operator', () => {
  // Proves REFU-04
  it('who takes an ad down refunds its undelivered part', async () => {
    const { seller, buyer, ad } = await story();
    await count(ad, 250);
    await takeDownAd(server.ctx, CLI, { id: ad.id, reason: 'It sells counterfeits' });
    expect(await read(buyer, ad)).toMatchObject({ status: 'completed', endedReason: 'taken_down' });
    expect(await refundsOf(ad)).toEqual(['7500 taken_down']);
    expect((await mails(buyer, 'ad-taken-down'))[0]?.text).toContain('$75.00 for the undelivered part');
    expect((await mails(seller, 'ad-taken-down'))[0]?.text).toContain('You keep what it earned so far.');
    expect(await mails(buyer, 'ad-ended')).toEqual([]);
  });

  // Proves REFU-04
  it('who suspends a publisher ends their campaigns, and a restoration does not bring them back', async () => {
    const { seller, buyer, ad } = await story();
    const other = await story();
    await count(ad, 100);
    await suspend(
      server.ctx,
      { ...CLI, dryRun: true },
      { subject: 'person', id: seller.user.id, reason: 'Fraud' },
    );
    expect([await read(buyer, ad), await refundsOf(ad)]).toMatchObject([{ status: 'active' }, []]);
    await suspend(server.ctx, CLI, { subject: 'person', id: seller.user.id, reason: 'Fraud' });
    expect(await read(buyer, ad)).toMatchObject({ status: 'completed', endedReason: 'publisher_suspended' });
    expect(await refundsOf(ad)).toEqual(['9000 publisher_suspended']);
    for (const side of [seller, buyer]) expect(await mails(side, 'ad-ended')).toHaveLength(1);
    await restore(server.ctx, CLI, { subject: 'person', id: seller.user.id, reason: 'A mistake' });
    expect(await read(buyer, ad)).toMatchObject({ status: 'completed' });
    expect(await read(other.buyer, other.ad)).toMatchObject({ status: 'active' });
    // An advertiser who is suspended keeps their campaigns, which are paused.
    await suspend(server.ctx, CLI, { subject: 'person', id: other.buyer.user.id, reason: 'Fraud' });
    expect(await read(other.seller, other.ad)).toMatchObject({ status: 'active', paused: 'suspended' });
    expect(await refundsOf(other.ad)).toEqual([]);
  });

  const refund = (ad: Ad, amountCents: number | null) =>
    server.ctx.db
      .transaction()
      .execute((tx) => refundByOperator(server.ctx, tx, { adId: ad.id, amountCents, reason: 'Goodwill' }));

  // Proves REFU-06
  it('refunds a part, and the campaign runs on until the rest of its price is earned', async () => {
    const { seller, buyer, ad } = await story();
    await count(ad, 200);
    expect(await refund(ad, 3000)).toEqual({ refundCents: 3000, isEnded: false });
    for (const side of [seller, buyer])
      expect((await mails(side, 'ad-refunded'))[0]?.text).toContain('Reason: Goodwill');
    await count(ad, 400);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ status: 'active' });
    await expect(refund(ad, 1001)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('10.00'),
    });
    await count(ad, 120);
    server.clock.advance(HOUR_MS);
    await jobs();
    expect(await read(buyer, ad)).toMatchObject({ status: 'completed', endedReason: 'operator' });
    expect(await refundsOf(ad)).toEqual(['3000 operator']);
    await expect(refund(ad, 1)).rejects.toMatchObject({ status: 409 });
    expect((await buyer.get('/api/ads/my')).body).toMatchObject([{ endedReason: 'operator' }]);
  });

  // Proves REFU-06
  it('refunds all that is left, which ends the campaign, and nothing of an unpaid or delivered one', async () => {
    const { buyer, ad, seller, product } = await story();
    await count(ad, 500);
    for (const [cents, status] of [
      [0, 400],
      [-5, 400],
      [5001, 409],
    ] as const)
      await expect(refund(ad, cents)).rejects.toMatchObject({ status });
    expect(await refund(ad, null)).toEqual({ refundCents: 5000, isEnded: true });
    expect(await read(buyer, ad)).toMatchObject({ status: 'completed', endedReason: 'operator' });
    await expect(refund(ad, null)).rejects.toMatchObject({ status: 409 });
    const unpaid = (await buyer.post('/api/ads', { ...ad, productId: product.id, startDate: undefined }))
      .body as Ad;
    await expect(refund(unpaid, null)).rejects.toMatchObject({ status: 409 });
    await expect(refund({ ...ad, id: 2_000_000_000 }, null)).rejects.toMatchObject({ status: 404 });
    expect(seller.user.id).toBeGreaterThan(0);
  });
});

// Proves REFU-04
it('ends a campaign whose card’s bank warns of fraud, and refunds what is left', async () => {
  const { seller, buyer, ad } = await story();
  await count(ad, 100);
  const sandbox = server.ctx.payments;
  if (!isSandbox(sandbox)) throw new Error('The provider is not the sandbox');
  const { intentId } = await server.ctx.db
    .selectFrom('payments')
    .select('intentId')
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
  await sandbox.play.warnOfFraud(intentId as string);
  await applyWaitingEvents(server.ctx);
  expect(await read(buyer, ad)).toMatchObject({ status: 'completed', endedReason: 'fraud_warning' });
  expect(await refundsOf(ad)).toEqual(['9000 fraud_warning']);
  for (const side of [seller, buyer])
    expect((await mails(side, 'ad-ended'))[0]?.text).toContain('possibly fraudulent');
});

// Proves REFU-07
it('refunds traffic that is withdrawn after the campaign was canceled', async () => {
  const { buyer, ad, zone } = await story();
  await count(ad, 500);
  const { refundAmount } = (await buyer.get(`/api/ads/${ad.id}/refund-quote`)).body;
  await buyer.post(`/api/ads/${ad.id}/cancel`, { refundAmount });
  await jobs();
  const hour = later(server.clock.now(), -HOUR_MS);
  await sql`select withdraw_traffic(${server.clock.now()}, ${zone.id}, date_trunc('hour', ${hour}::timestamptz),
    date_trunc('hour', ${hour}::timestamptz) + interval '3 hours', '[{"signal": "network", "value": 1, "bound": 0}]')`.execute(
    server.ctx.db,
  );
  await jobs();
  await jobs();
  expect(await read(buyer, ad)).toMatchObject({
    status: 'completed',
    endedReason: 'canceled',
    totalImpressions: 0,
  });
  expect(await refundsOf(ad)).toEqual(['5000 canceled', '5000 canceled']);
  await sendDueRefunds(server.ctx);
});

/** The fee, the limits and the review of cancels, over HTTP. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { centsOf } from '#domain/money.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import type { Client } from '#server/testing/client.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { mailTo, mailToOperator } from '#server/testing/mail/mail.ts';
import { requireBalance } from '#server/testing/money/refunds.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { runMoneyWork } from '../../books/run.ts';
import { checkLedger } from '../../ledger/check.ts';
import { forgetNetworksOfCancels } from './cancel-terms.ts';

const server = useOwnServer({ start: new Date('2026-03-02T00:00:00Z') });
let seller: Client;
let buyer: Client;
beforeEach(async () => {
  await server.ctx.db.deleteFrom('settings').execute();
  await readSettings(server.ctx.db, server.ctx.config);
  server.ctx.config.rateLimitFactor = 1000;
  // The cancels of the test before are out of the window.
  server.clock.advance(2 * DAY_MS);
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

async function command(...words: string[]) {
  const { command: found, args } = commandOf(words);
  const options = { dryRun: false, reason: 'Checked' };
  return (await found.run({ ctx: server.ctx, operator: { id: null }, args, options })).json as Record<
    string,
    unknown
  >;
}
const live = async (price = '100.00') =>
  (
    await makeLiveAd(seller, buyer, {
      product: { pricingModel: 'per_impression', duration: null, impressions: 1000, price },
    })
  ).ad;
const quote = async (ad: Ad) => (await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body;
const cancel = (ad: Ad, refundAmount: string) =>
  buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount });
const read = async (ad: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${ad.publicId}`)).body as Ad;
async function requireSound(): Promise<void> {
  await runMoneyWork(server.ctx);
  await requireBalance(server.ctx);
  expect(await checkLedger(server.ctx.db)).toEqual([]);
}

describe('the fee', () => {
  // Proves OWNS-80
  it('is kept once by setting, after it was quoted, and the books balance', async () => {
    const free = await live();
    expect(await quote(free)).toMatchObject({ cancelFee: '0.00', refundAmount: '100.00' });
    await command('settings', 'set', 'CANCEL_FEE', 'buyer');
    const ad = await live();
    // The sandbox takes 2.9 % and 30 cents.
    expect(await quote(ad)).toMatchObject({
      cancelFee: '3.20',
      refundAmount: '96.80',
      sentence: expect.stringContaining('$3.20'),
    });
    expect((await buyer.get(`/api/ads/${ad.publicId}/price`)).body).toMatchObject({
      cancelFee: '3.20',
      cancelSentence: expect.stringContaining('$3.20'),
    });
    expect((await cancel(ad, '100.00')).status).toBe(409);
    expect(await cancel(ad, '96.80')).toMatchObject({ status: 200, body: { status: 'completed' } });
    const refunds = await server.ctx.db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.paymentId')
      .select('refunds.amountCents')
      .where('adId', '=', ad.id)
      .execute();
    expect(refunds).toEqual([{ amountCents: 9680 }]);
    expect((await buyer.get(`/api/ads/${ad.publicId}/ledger?side=buyer`)).body).toMatchObject({
      total: '100.00',
      refunded: '96.80',
      kept: '3.20',
      open: '0.00',
      entries: expect.arrayContaining([expect.objectContaining({ kind: 'cancel_fee', amount: '3.20' })]),
    });
    await requireSound();
  });

  // Proves OWNS-80
  it('is at most the refund, and none where something else kept the ad from being shown', async () => {
    await command('settings', 'set', 'CANCEL_FEE', 'buyer');
    const paused = await live();
    expect((await seller.patch(`/api/ad-zones/${paused.adZoneId}`, { isActive: false })).status).toBe(200);
    expect(await quote(paused)).toMatchObject({ cancelFee: '0.00', refundAmount: '100.00' });
    const ad = await live('1.00');
    expect(await quote(ad)).toMatchObject({ cancelFee: '0.33', refundAmount: '0.67' });
    await cancel(ad, '0.67');
    await requireSound();
  });

  // Proves OWNS-80
  it('is free once with free-once', async () => {
    await command('settings', 'set', 'CANCEL_FEE', 'free-once');
    const [first, second] = [await live(), await live()];
    expect(await quote(first)).toMatchObject({ cancelFee: '0.00' });
    expect((await cancel(first, '100.00')).status).toBe(200);
    expect(await quote(second)).toMatchObject({ cancelFee: '3.20' });
    server.clock.advance(30 * DAY_MS);
    expect(await quote(second)).toMatchObject({ cancelFee: '0.00' });
  });
});

// Proves OWNS-82
it('limits cancels in 24 hours, also if they come at once', async () => {
  await command('settings', 'set', 'CANCELS_PER_DAY', '2');
  const ads: Ad[] = [];
  for (let n = 0; n < 4; n++) ads.push(await live());
  server.ctx.config.rateLimitFactor = 1;
  expect(await quote(ads[0] as Ad)).toMatchObject({ cancelsLeft: 2 });
  const answers = await Promise.all(ads.map((ad) => cancel(ad, '100.00')));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 200, 429, 429,
  ]);
  const refused = answers.findIndex(({ status }) => status === 429);
  const retryAfter = Number(answers[refused]?.headers.get('retry-after'));
  // The first of the two came a moment before.
  expect(retryAfter).toBeGreaterThan(86_000);
  expect(retryAfter).toBeLessThanOrEqual(86_400);
  expect(await read(ads[refused] as Ad)).toMatchObject({ status: 'active', paused: null });
  expect(await quote(ads[refused] as Ad)).toMatchObject({ cancelsLeft: 0 });
  const person = async () => (await command('show', 'person', buyer.user.email))['cancels'];
  expect(await person()).toEqual({ counted: 2, allowed: 2, nextAt: expect.any(Date) });
  const { client: operator } = await makeOperator(server);
  expect((await operator.get(`/api/operator/people/${buyer.user.id}`)).body.cancels).toEqual({
    counted: 2,
    allowed: 2,
    nextAt: expect.any(String),
  });
  server.clock.advance(DAY_MS);
  expect(await person()).toEqual({ counted: 0, allowed: 2, nextAt: null });
  expect((await cancel(ads[refused] as Ad, '100.00')).status).toBe(200);
  await requireSound();
});

const networksOf = async () =>
  await server.ctx.db
    .selectFrom('cancels')
    .select(({ fn }) => fn.count<number>('network').as('networks'))
    .executeTakeFirstOrThrow();

// Proves OWNS-82
it('forgets the network of a cancel when it counts no longer', async () => {
  const ad = await live();
  await forgetNetworksOfCancels(server.ctx);
  expect(await networksOf()).toEqual({ networks: 0 });
  expect((await cancel(ad, '100.00')).status).toBe(200);
  await forgetNetworksOfCancels(server.ctx);
  expect(await networksOf()).toEqual({ networks: 1 });
  server.clock.advance(DAY_MS + HOUR_MS);
  await forgetNetworksOfCancels(server.ctx);
  expect(await networksOf()).toEqual({ networks: 0 });
});

describe('a large sum soon after its payment', () => {
  // Proves OWNS-83
  it('waits, is not shown, and is refunded when the operator releases it', async () => {
    const ad = await live('1000.00');
    const answer = await cancel(ad, '1000.00');
    expect(answer).toMatchObject({ status: 202, body: { status: 'waiting', message: expect.any(String) } });
    expect(await read(ad)).toMatchObject({ status: 'active', paused: 'cancel' });
    expect((await cancel(ad, '1000.00')).status).toBe(409);
    expect(await command('money', 'list')).toMatchObject({
      cancels: [{ ad: ad.publicId, amount: '1000.00' }],
    });
    await command('money', 'release-cancel', ad.publicId);
    expect(await read(ad)).toMatchObject({ status: 'completed', endedReason: 'canceled' });
    expect(await command('money', 'list')).toMatchObject({ cancels: [] });
    await expect(command('money', 'release-cancel', ad.publicId)).rejects.toThrow('No cancel');
    await requireSound();
  });

  // Proves OWNS-83
  it('waits no longer once the ad has ended for another reason', async () => {
    const ad = await live('1000.00');
    expect((await cancel(ad, '1000.00')).status).toBe(202);
    await command('money', 'refund', ad.publicId);
    expect(await read(ad)).toMatchObject({ status: 'completed', endedReason: 'operator', paused: null });
    expect(await command('money', 'list')).toMatchObject({ cancels: [] });
    await requireSound();
  });

  it('mails the operator once, and each side when it waits and when it is decided', async () => {
    await command('settings', 'set', 'CANCEL_FEE', 'buyer');
    const per = { pricingModel: 'per_day', duration: 10, price: '2000.00' };
    const [{ ad: released }, { ad: refused }] = [
      await makeLiveAd(seller, buyer, { product: per }),
      await makeLiveAd(seller, buyer, { product: per }),
    ];
    const before = (await mailToOperator(server.ctx, 'cancel-waiting')).length;
    const last = async (side: Client) => (await mailTo(server.ctx, side.user.email)).at(-1);
    for (const ad of [released, refused]) {
      const { refundAmount, cancelFee } = await quote(ad);
      expect((await cancel(ad, refundAmount)).status).toBe(202);
      expect((await cancel(ad, refundAmount)).status).toBe(409);
      const { kind, text = '' } = (await last(buyer)) ?? {};
      expect(kind).toBe('cancel-waiting');
      expect(text.replaceAll(',', '')).toContain(`$${refundAmount} for the undelivered part`);
      expect(text).toContain(`fee of $${cancelFee} for your payment isn’t refunded`);
      expect(text).toContain('isn’t shown meanwhile');
    }
    const sent = (await mailToOperator(server.ctx, 'cancel-waiting')).slice(before);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.text).toContain(`openslot money release-cancel ${refused.id} --reason`);
    expect(sent[1]?.text).toContain('/operator/money');
    expect((await last(seller))?.subject).toBe(
      'A campaign on your site is paused because its advertiser canceled it',
    );

    await command('money', 'release-cancel', released.publicId);
    expect((await last(buyer))?.text).toContain('The marketplace’s check of your cancel is done.');
    expect((await last(seller))?.text).not.toContain('check of your cancel');
    server.clock.advance(HOUR_MS);
    await command('money', 'refuse-cancel', refused.publicId);
    expect((await last(buyer))?.text).toContain('nothing is refunded and the campaign is resumed.');
    expect((await last(buyer))?.text).toContain('Reason: Checked');
    expect((await last(seller))?.subject).toBe('A campaign on your site is resumed');
    expect((await last(seller))?.text).not.toContain('Checked');
    for (const side of [buyer, seller]) expect((await last(side))?.text).toContain('it now ends on');
    await requireSound();
  });

  // Proves OWNS-83
  it('is refunded as it was agreed, however long it has waited', async () => {
    const { ad } = await makeLiveAd(seller, buyer, {
      product: { pricingModel: 'per_day', duration: 10, price: '2000.00' },
    });
    const { refundAmount } = await quote(ad);
    expect((await cancel(ad, refundAmount)).status).toBe(202);
    server.clock.advance(3 * DAY_MS);
    await runMoneyWork(server.ctx);
    await command('money', 'release-cancel', ad.publicId);
    const { body } = await buyer.get(`/api/ads/${ad.publicId}/ledger?side=buyer`);
    expect([body.refunded, body.open]).toEqual([refundAmount, '0.00']);
    await requireSound();
  });

  // Proves OWNS-83
  it('is shown again after a refusal, and lost no time', async () => {
    const { ad } = await makeLiveAd(seller, buyer, {
      product: { pricingModel: 'per_day', duration: 10, price: '2000.00' },
    });
    const before = await read(ad);
    const { refundAmount } = await quote(ad);
    expect((await cancel(ad, refundAmount)).status).toBe(202);
    server.clock.advance(5 * HOUR_MS);
    await command('money', 'refuse-cancel', ad.publicId);
    const after = await read(ad);
    expect(after).toMatchObject({ status: 'active', paused: null });
    const movedMs = Date.parse(after.endDate as string) - Date.parse(before.endDate as string);
    expect(movedMs).toBeGreaterThanOrEqual(5 * HOUR_MS);
    expect(movedMs).toBeLessThan(6 * HOUR_MS);
    // An hour after the payment, a cancel no longer waits.
    const late = await quote(ad);
    expect(centsOf(late.refundAmount)).toBeGreaterThan(0);
    expect((await cancel(ad, late.refundAmount)).status).toBe(200);
    await requireSound();
  });
});

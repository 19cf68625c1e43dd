/**
 * The errors that users get while the card provider is away, slow or limits our calls, and the payments that we find
 * later.
 */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { beginPayment, makeApprovedAd } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { startStripeServer } from '#server/testing/stripe/stripe-server.ts';
import { useServerWithStripe } from '#server/testing/stripe/use-stripe.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';
import { checkPayments } from './events/check-payments.ts';
import { applyProviderEvent } from './events/events.ts';
import { expireUnpaidAds } from './checkout/expire-unpaid.ts';
import { ledgerImbalances } from './ledger/check.ts';
import { sendDueRefunds } from './refunds/send.ts';

const VISA = '4242424242424242';

const { server, stripe } = useServerWithStripe();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  stripe.webhooks = { isLost: true };
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { email: 'advertiser@example.test' });
});
afterEach(() => {
  stripe.faults.length = 0;
});

const begin = async (ad: Ad) => {
  const { clientSecret } = (await beginPayment(buyer, ad)).body as { clientSecret: string };
  return { clientSecret, id: clientSecret.split('_secret_')[0] as string };
};
const report = (paymentIntentId: string) => buyer.post('/api/payment-success', { paymentIntentId });
const paymentsOf = (ad: Ad) =>
  server.ctx.db.selectFrom('payments').selectAll().where('adId', '=', ad.id).orderBy('id').execute();
const statusOf = async (ad: Ad): Promise<string> => (await buyer.get(`/api/ads/${ad.id}`)).body.status;

describe('while the provider is away', () => {
  const AWAY = 'The card provider can’t be reached right now.';

  // Proves HOOK-09
  it.each(['fails_before', 'hangs_before', 'rate_limited'] as const)(
    'beginning a payment says that nothing was charged (%s)',
    async (how) => {
      const ad = await makeApprovedAd(seller, buyer);
      stripe.faults.push({ on: '/v1/', how, times: 100 });
      const answer = await beginPayment(buyer, ad);
      expect(answer).toMatchObject({
        status: 503,
        body: { message: `${AWAY} Nothing was charged. Please try again in a moment.` },
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      stripe.faults.length = 0;
      expect((await beginPayment(buyer, ad)).status).toBe(200);
    },
    60_000,
  );

  // Proves HOOK-09
  it('an error never says that nothing was charged if the payment may have been charged', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { clientSecret, id } = await begin(ad);
    stripe.pay(clientSecret, VISA);
    stripe.faults.push({ on: '/v1/', how: 'fails_before', times: 100 });
    for (const answer of [await report(id), await beginPayment(buyer, ad)]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).not.toBeNull();
      expect(answer.body.message).toContain(AWAY);
      expect(answer.body.message).toContain('goes live by itself');
      expect(answer.body.message).not.toMatch(/nothing was charged|database/i);
    }
    stripe.faults.length = 0;
    expect((await report(id)).status).toBe(200);
  });

  // Proves HOOK-09
  it('a refused connection is not reported as a failure of the database, on any call', async () => {
    const gone = await startStripeServer();
    const other = await untilTestEnds(startTestServer({ env: gone.env }));
    const [publisher, person] = [await other.signIn('seller'), await other.signIn('buyer')];
    const ad = await makeApprovedAd(publisher, person);
    expect((await beginPayment(person, ad)).status).toBe(200);
    await gone.close();
    for (const answer of [await beginPayment(person, ad), await person.get('/api/billing/portal')]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).not.toBeNull();
      expect(answer.text).toContain('card provider');
      expect(answer.text).not.toContain('database');
    }
  });

  // Proves HOOK-01, HOOK-09
  it('the checks stop asking after three failures in a row, and go on when it is back', async () => {
    const ads = [];
    for (let n = 0; n < 5; n++) ads.push(await makeApprovedAd(seller, buyer));
    for (const ad of ads) stripe.pay((await begin(ad)).clientSecret, VISA);
    server.clock.advance(6 * MINUTE_MS);
    stripe.faults.push({ on: 'GET /v1/payment_intents', how: 'rate_limited', times: 1000 });
    await checkPayments(server.ctx);
    const failed = await server.ctx.db
      .selectFrom('providerEvents')
      .select('id')
      .where('lastError', 'is not', null)
      .where('doneAt', 'is', null)
      .execute();
    const unreachable = await server.ctx.db
      .selectFrom('payments')
      .select('id')
      .where('problem', '=', 'unreachable')
      .execute();
    expect(failed.length + unreachable.length).toBe(3);
    stripe.faults.length = 0;
    server.clock.advance(11 * MINUTE_MS);
    await checkPayments(server.ctx);
    expect(await Promise.all(ads.map((ad) => statusOf(ad)))).toEqual(Array(5).fill('active'));
  });
});

describe('a payment that was canceled and yet succeeds', () => {
  // Proves HOOK-05
  it('is found without its event, and refunded in full', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { clientSecret } = await begin(ad);
    server.clock.advance(15 * DAY_MS);
    await expireUnpaidAds(server.ctx);
    expect((await paymentsOf(ad)).map(({ status }) => status)).toEqual(['canceled']);
    stripe.pay(clientSecret, VISA);
    server.clock.advance(6 * MINUTE_MS);
    await checkPayments(server.ctx);
    expect((await paymentsOf(ad)).map(({ status }) => status)).toEqual(['orphaned']);
    await sendDueRefunds(server.ctx);
    const mails = await mailTo(server.ctx, 'advertiser@example.test');
    expect(mails.filter(({ kind }) => kind === 'payment-refunded')).toHaveLength(1);
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  });

  // Proves HOOK-05
  it('cannot begin while its ad closes: the intent that was just created is canceled, and its secret kept', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    server.clock.advance(15 * DAY_MS);
    const real = server.ctx.payments;
    let made = '';
    server.ctx.payments = {
      ...real,
      createIntent: async (...call) => {
        const intent = await real.createIntent(...call);
        made = intent.id;
        await expireUnpaidAds(server.ctx);
        return intent;
      },
    };
    const answer = await beginPayment(buyer, ad).finally(() => (server.ctx.payments = real));
    expect(answer.status).toBe(409);
    expect((await paymentsOf(ad))[0]).toMatchObject({ intentId: made, status: 'canceled' });
    server.clock.advance(6 * MINUTE_MS);
    await checkPayments(server.ctx);
    expect(stripe.object(made)['status']).toBe('canceled');
    expect((await paymentsOf(ad))[0]?.nextCheckAt).toBeNull();
  });

  // Proves HOOK-05
  it('or whose intent was created but never stored, is found by our metadata and canceled', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    stripe.faults.push({ on: 'POST /v1/payment_intents', how: 'breaks', times: 10 });
    stripe.faults.push({ on: 'GET /v1/payment_intents', how: 'fails_before', times: 10 });
    expect((await beginPayment(buyer, ad)).status).toBe(503);
    stripe.faults.length = 0;
    server.clock.advance(15 * DAY_MS);
    await expireUnpaidAds(server.ctx);
    expect((await paymentsOf(ad))[0]).toMatchObject({ intentId: null, status: 'canceled' });
    server.clock.advance(6 * MINUTE_MS);
    await checkPayments(server.ctx);
    const [payment] = await paymentsOf(ad);
    expect(payment?.intentId).not.toBeNull();
    expect(stripe.object(payment?.intentId as string)['status']).toBe('canceled');
  });
});

// Proves HOOK-13
it('an early fraud warning ends the ad, refunds the undelivered part, and holds the earnings, once', async () => {
  const ad = await makeApprovedAd(seller, buyer, { product: { duration: 10 } });
  const { clientSecret, id } = await begin(ad);
  stripe.pay(clientSecret, VISA);
  await report(id);
  server.clock.advance(2 * DAY_MS);
  stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
  stripe.warnOfFraud(id);
  await stripe.delivered();
  stripe.webhooks = { isLost: true };
  const events = await server.ctx.db
    .selectFrom('providerEvents')
    .select('id')
    .where('type', 'like', 'radar.%')
    .execute();
  expect(events).toHaveLength(1);
  for (const event of [...events, ...events]) await applyProviderEvent(server.ctx, event.id);
  expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({
    status: 'completed',
    endedReason: 'fraud_warning',
  });
  const holds = await server.ctx.db
    .selectFrom('holds')
    .select(['reason', 'userId'])
    .where('adId', '=', ad.id)
    .where('reason', '<>', 'unverified_site')
    .execute();
  expect(holds).toEqual([{ reason: 'fraud_warning', userId: seller.user.id }]);
  const refunds = await server.ctx.db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select('refunds.amountCents')
    .where('payments.adId', '=', ad.id)
    .execute();
  expect(refunds).toHaveLength(1);
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});

import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { expireUnpaidAds } from './checkout/expire-unpaid.ts';
import type { PaymentProvider } from '#server/platform/provider/payment-provider.ts';
import {
  beginPayment,
  CARD,
  makeApprovedAd,
  outOfReach,
  payByCard,
  withProvider,
} from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { cancelIntent } from './checkout/close.ts';
import { applyProviderEvent } from './events/events.ts';
import { ledgerImbalances } from './ledger/check.ts';
import { checkPayments } from './events/check-payments.ts';
import { sendDueRefunds, sendRefund } from './refunds/send.ts';
import { settleSandbox } from './sandbox/sandbox.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { email: 'advertiser@example.test' });
});

const statusOf = async (ad: Ad): Promise<string> => (await buyer.get(`/api/ads/${ad.id}`)).body.status;
const paymentOf = (ad: Ad) =>
  server.ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('adId', '=', ad.id)
    .orderBy('id')
    .executeTakeFirstOrThrow();
/** The waiting events about intents. The event about the fee of a charge may arrive at any time, so it is left out. */
const waitingEvents = async () => {
  const rows = await server.ctx.db
    .selectFrom('providerEvents')
    .select('id')
    // The event of a fee comes some seconds after the charge.
    .where('type', 'like', 'payment_intent.%')
    .where('doneAt', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
};
const refundsOf = (ad: Ad) =>
  server.ctx.db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .selectAll('refunds')
    .where('payments.adId', '=', ad.id)
    .execute();
const postingsOf = (kind: string, reference: string) =>
  server.ctx.db
    .selectFrom('ledgerTx')
    .select('id')
    .where('kind', '=', kind)
    .where('externalRef', '=', reference)
    .execute();
const report = (paymentIntentId: string) => buyer.post('/api/payment-success', { paymentIntentId });
const liveMails = async () =>
  (await mailTo(server.ctx, 'advertiser@example.test')).filter(({ kind }) => kind === 'ad-live').length;

// Proves HOOK-01
it('activates an ad once, with one ledger entry and one e-mail, for concurrent reports, events and reconciliations', async () => {
  for (let round = 0; round < 5; round++) {
    const ad = await makeApprovedAd(seller, buyer);
    const { paymentIntentId } = await payByCard(buyer, ad);
    const mails = await liveMails();
    server.clock.advance(6 * MINUTE_MS);
    const events = await waitingEvents();
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => report(paymentIntentId)),
      ...events.flatMap((id) => [1, 2, 3].map(() => applyProviderEvent(server.ctx, id))),
      ...Array.from({ length: 3 }, () => checkPayments(server.ctx)),
    ]);
    expect(answers.slice(0, 8).every((answer) => (answer as { status: number }).status === 200)).toBe(true);
    expect(await statusOf(ad)).toBe('active');
    const payment = await paymentOf(ad);
    expect(payment.status).toBe('succeeded');
    expect(await postingsOf('paid', payment.chargeId as string)).toHaveLength(1);
    expect(await liveMails()).toBe(mails + 1);
    expect(await waitingEvents()).toEqual([]);
  }
});

describe('a payment that the browser did not finish', () => {
  // Proves HOOK-05, OP-095
  it('activates its ad by the provider’s event alone, and ignores a repeated event', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    await payByCard(buyer, ad, { number: '4000000000000002' });
    await payByCard(buyer, ad);
    const events = await waitingEvents();
    expect(events).toHaveLength(2);
    // Apply the later event first and each event twice, because providers guarantee neither order nor uniqueness.
    for (const id of [...events, ...events].toReversed()) await applyProviderEvent(server.ctx, id);
    expect(await statusOf(ad)).toBe('active');
    await applyProviderEvent(server.ctx, 'sbx_evt_unknown');
  });

  // Proves HOOK-05
  it('is finished by the reconciliation after a crash between the provider’s success and our commit', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { paymentIntentId } = await payByCard(buyer, ad);
    // The provider has the money, but its answer never arrives, and its event is lost.
    const answer = await withProvider(
      server.ctx,
      () => ({ getIntent: outOfReach }),
      () => report(paymentIntentId),
    );
    expect(answer.status).toBe(503);
    await server.ctx.db.deleteFrom('providerEvents').where('doneAt', 'is', null).execute();
    expect(await statusOf(ad)).toBe('approved');

    server.clock.advance(4 * MINUTE_MS);
    // The event about the fee is lost, too.
    await settleSandbox(server.ctx);
    await server.ctx.db.deleteFrom('providerEvents').where('doneAt', 'is', null).execute();
    expect(await checkPayments(server.ctx)).toBe(0);
    server.clock.advance(2 * MINUTE_MS);
    expect(await checkPayments(server.ctx)).toBe(1);
    expect(await statusOf(ad)).toBe('active');
    expect(await checkPayments(server.ctx)).toBe(0);
  });

  // Proves HOOK-05
  it('does not hold up other payments if the provider fails for it, and is tried again', async () => {
    const [stuck, fine] = [await makeApprovedAd(seller, buyer), await makeApprovedAd(seller, buyer)];
    const { paymentIntentId } = await payByCard(buyer, stuck);
    await payByCard(buyer, fine);
    await server.ctx.db.deleteFrom('providerEvents').where('doneAt', 'is', null).execute();
    server.clock.advance(6 * MINUTE_MS);
    const oneOutOfReach = (real: PaymentProvider) => ({
      getIntent: (id: string) => (id === paymentIntentId ? outOfReach() : real.getIntent(id)),
    });
    await withProvider(server.ctx, oneOutOfReach, () => checkPayments(server.ctx));
    expect([await statusOf(stuck), await statusOf(fine)]).toEqual(['approved', 'active']);
    server.clock.advance(6 * MINUTE_MS);
    await checkPayments(server.ctx);
    expect(await statusOf(stuck)).toBe('active');
  });

  // Proves HOOK-05
  it('is rolled back completely if its last write fails', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { paymentIntentId } = await payByCard(buyer, ad);
    // The ledger is written last before the commit. Without its table, everything before it must be rolled back.
    await sql`alter table ledger_postings rename to ledger_away`.execute(server.owner);
    try {
      expect((await report(paymentIntentId)).status).toBe(500);
    } finally {
      await sql`alter table ledger_away rename to ledger_postings`.execute(server.owner);
    }
    expect(await statusOf(ad)).toBe('approved');
    expect((await paymentOf(ad)).status).toBe('open');
    expect((await report(paymentIntentId)).status).toBe(200);
  });
});

describe('money for an ad that can no longer go live', () => {
  /** Lets the ad expire between the opening of the card form and the payment. */
  async function payTooLate(): Promise<{ ad: Ad; paymentIntentId: string; answer: { status: number } }> {
    const ad = await makeApprovedAd(seller, buyer);
    const { clientSecret } = (await beginPayment(buyer, ad)).body;
    server.clock.advance(15 * 24 * 60 * MINUTE_MS);
    await expireUnpaidAds(server.ctx);
    const answer = await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
    return { ad, paymentIntentId: clientSecret.split('_secret_')[0], answer };
  }

  // Proves HOOK-05
  it('is refunded in full, booked with its refund, and the advertiser is e-mailed', async () => {
    const { ad, paymentIntentId, answer } = await payTooLate();
    expect(answer.status).toBe(200);
    expect(await report(paymentIntentId)).toMatchObject({
      status: 409,
      body: { message: 'This ad can no longer go live. We will refund your payment in full.' },
    });
    expect(await statusOf(ad)).toBe('rejected');
    const payment = await paymentOf(ad);
    expect(payment.status).toBe('orphaned');
    const [refund] = await refundsOf(ad);
    expect(refund).toMatchObject({ amountCents: 10_000, commissionCents: 1500, status: 'owed' });
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);

    await Promise.all([1, 2, 3].map(() => sendRefund(server.ctx, refund?.id as number)));
    const [sent] = await refundsOf(ad);
    expect(sent).toMatchObject({ status: 'done', attempts: expect.any(Number) });
    const tries = await server.ctx.db
      .selectFrom('refundTries')
      .selectAll()
      .where('refundId', '=', sent?.id as number)
      .execute();
    expect(tries).toEqual([
      expect.objectContaining({ state: 'succeeded', providerId: expect.stringMatching(/^sbx_re_/) }),
    ]);
    expect(await postingsOf('refund', tries[0]?.takenBy as string)).toHaveLength(1);
    const mails = await mailTo(server.ctx, 'advertiser@example.test');
    expect(mails.filter(({ kind }) => kind === 'payment-refunded')).toHaveLength(1);
    expect((await report(paymentIntentId)).status).toBe(409);
    expect(await refundsOf(ad)).toHaveLength(1);
  });

  // Proves HOOK-05
  it('is refunded by the sweep if the refund’s job was lost', async () => {
    const { ad, paymentIntentId } = await payTooLate();
    await report(paymentIntentId);
    await sendDueRefunds(server.ctx);
    expect((await refundsOf(ad)).map(({ status }) => status)).toEqual(['done']);
  });

  // Proves HOOK-05
  it('is not accepted once the intent is canceled at the provider', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { clientSecret } = (await beginPayment(buyer, ad)).body;
    const intentId = clientSecret.split('_secret_')[0];
    server.clock.advance(15 * 24 * 60 * MINUTE_MS);
    await expireUnpaidAds(server.ctx);
    await cancelIntent(server.ctx, intentId);
    expect((await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD })).status).toBe(409);
    expect(await report(intentId)).toMatchObject({
      status: 409,
      body: { message: 'This payment was canceled. Please reload the page to pay again.' },
    });
    await cancelIntent(server.ctx, intentId);
  });

  // Proves HOOK-05
  it('is refunded even if the ad has been approved again, which needs a new payment', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { clientSecret } = (await beginPayment(buyer, ad)).body;
    server.clock.advance(15 * 24 * 60 * MINUTE_MS);
    await expireUnpaidAds(server.ctx);
    await buyer.put(`/api/ads/${ad.id}`, { ...ad, title: 'Once more' });
    await seller.put(`/api/ads/${ad.id}/approve`);
    const again = (await beginPayment(buyer, ad)).body.clientSecret;
    expect(again).not.toBe(clientSecret);
    await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
    expect((await report(clientSecret.split('_secret_')[0])).status).toBe(409);
    expect(await statusOf(ad)).toBe('approved');
    await buyer.post('/api/sandbox/confirm', { clientSecret: again, ...CARD });
    expect((await report(again.split('_secret_')[0])).status).toBe(200);
    expect(await refundsOf(ad)).toHaveLength(1);
  });
});

// Proves HOOK-05, STATE-05, OP-095
it('makes the ad live without a report from the browser while the worker is running', async () => {
  const running = await untilTestEnds(startTestServer({ jobs: true }));
  const [publisher, person] = [await running.signIn('seller'), await running.signIn('buyer')];
  const ad = await makeApprovedAd(publisher, person);
  await payByCard(person, ad);
  await vi.waitFor(async () => expect((await person.get(`/api/ads/${ad.id}`)).body.status).toBe('active'), {
    timeout: 60_000,
    interval: 50,
  });
  expect(await ledgerImbalances(running.ctx.db)).toEqual([]);
});

// Proves LEDG-04
it('leaves the ledger in balance after all tests of this file', async () => {
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});

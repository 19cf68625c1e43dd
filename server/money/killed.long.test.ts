/** The server is killed at every call of the provider around a sale, a payout and a dispute. No money is
 * lost or moved twice, and a bank gets evidence once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, later, MINUTE_MS } from '#domain/time.ts';
import type { Payouts } from '#domain/payments/payout-contract.ts';
import { beginPayment, makeApprovedAd } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import type { DyingAct } from '#server/testing/dying-server.ts';
import { payOut } from '#server/testing/money/payout-market.ts';
import { deliver, onboard, releaseHolds } from '#server/testing/money/payouts.ts';
import { SESSION_SECRET, startTestServer, type TestServer } from '#server/testing/server.ts';
import { COMPILED } from '#server/testing/server-process.ts';
import { startStripeServer, type StripeServer } from '#server/testing/stripe/stripe-server.ts';
import { checkPayments } from './events/check-payments.ts';
import { applyDispute } from './disputes/disputes.ts';
import { applyProviderEvent } from './events/events.ts';
import { answerDueDisputes } from './disputes/evidence.ts';
import { chargeDueConsents } from './consents/charge.ts';
import { expireUnpaidAds } from './checkout/expire-unpaid.ts';
import { ledgerImbalances } from './ledger/check.ts';
import { runPayouts } from './payouts/run.ts';
import { sendDueRefunds } from './refunds/send.ts';
import { findPaymentOfIntent, type Payment } from './checkout/payment.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const VISA = '4242424242424242';

let stripe: StripeServer;
let server: TestServer;
let seller: Client;
let now = () => new Date();
beforeAll(async () => {
  stripe = await startStripeServer({ now: () => now() });
  server = await startTestServer({ env: stripe.env });
  now = server.clock.now;
  seller = await server.signIn('seller');
});
afterAll(async () => {
  await server.close();
  await stripe.close();
});

type Story = { ad: Ad; buyer: Client; intentId: string; clientSecret: string };

async function begun(): Promise<Story> {
  const buyer = await server.signIn('buyer');
  const ad = await makeApprovedAd(seller, buyer);
  const { clientSecret } = (await beginPayment(buyer, ad)).body as { clientSecret: string };
  return { ad, buyer, clientSecret, intentId: clientSecret.split('_secret_')[0] as string };
}

async function unbegun(): Promise<Story> {
  const buyer = await server.signIn('buyer');
  return { ad: await makeApprovedAd(seller, buyer), buyer, intentId: '', clientSecret: '' };
}

/** An approved ad whose consent waits for the charge. */
async function consented(): Promise<Story> {
  const story = await unbegun();
  const { ad, buyer } = story;
  const consent = await buyer.post('/api/payment-consents', { limit: ad.totalAmount, ads: [ad.publicId] });
  stripe.saveCard(consent.body.clientSecret as string, VISA);
  expect((await buyer.post(`/api/payment-consents/${consent.body.id}/confirm`)).status).toBe(200);
  return story;
}

async function paid(): Promise<Story> {
  const story = await begun();
  stripe.pay(story.clientSecret, VISA);
  return story;
}

/** The event of the payment has arrived, and was not handled. */
async function announced(): Promise<Story> {
  const story = await begun();
  stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
  stripe.pay(story.clientSecret, VISA);
  await stripe.delivered();
  stripe.webhooks = { isLost: true };
  return story;
}

async function overdue(story: Story): Promise<Story> {
  await server.ctx.db
    .updateTable('ads')
    .set({ approvedAt: new Date(now().getTime() - 15 * DAY_MS) })
    .where('id', '=', story.ad.id)
    .execute();
  return story;
}

/** The card is charged after the ad has expired. */
async function tooLate(): Promise<Story> {
  const story = await overdue(await begun());
  await expireUnpaidAds(server.ctx);
  stripe.pay(story.clientSecret, VISA);
  return story;
}

async function owed(): Promise<Story> {
  const story = await tooLate();
  await story.buyer.post('/api/payment-success', { paymentIntentId: story.intentId });
  return story;
}

/** The advertiser cancels before anything was delivered. */
async function canceled(): Promise<Story> {
  const story = await paid();
  await story.buyer.post('/api/payment-success', { paymentIntentId: story.intentId });
  const answer = await story.buyer.post(`/api/ads/${story.ad.id}/cancel`, {
    refundAmount: story.ad.totalAmount,
  });
  expect(answer.status).toBe(200);
  return story;
}

async function expired(): Promise<Story> {
  const story = await overdue(await begun());
  await expireUnpaidAds(server.ctx);
  return story;
}

/** The act, the call at which it is killed, the state before, and the end that it must have. */
const POINTS: [act: DyingAct['act'], call: DyingAct['call'], from: () => Promise<Story>, end: string][] = [
  ['begin', 'createCustomer', unbegun, 'active, charged once'],
  ['begin', 'createIntent', unbegun, 'active, charged once'],
  ['begin', 'getIntent', paid, 'active, charged once'],
  ['report', 'getIntent', paid, 'active, charged once'],
  ['consent', 'createSetup', unbegun, 'active, charged once'],
  ['charge', 'createIntent', consented, 'active, charged once'],
  ['charge', 'chargeSaved', consented, 'active, charged once'],
  ['events', 'getIntent', announced, 'active, charged once'],
  ['check', 'undeliveredEvents', paid, 'active, charged once'],
  ['check', 'getIntent', paid, 'active, charged once'],
  ['expire', 'getIntent', async () => overdue(await paid()), 'active, charged once'],
  ['cancel', 'cancelIntent', expired, 'rejected, not charged'],
  ['check', 'cancelIntent', expired, 'rejected, not charged'],
  ['check', 'getIntent', tooLate, 'rejected, refunded'],
  ['refunds', 'refund', owed, 'rejected, refunded'],
  ['refunds', 'refund', canceled, 'active, refunded'],
];

const CHANGING = new Set([
  'createCustomer',
  'createIntent',
  'createSetup',
  'chargeSaved',
  'cancelIntent',
  'refund',
]);

const KILLS = POINTS.flatMap(([act, call, from, end]) =>
  // A call that only asks leaves nothing behind, so being killed before it is like being killed after it.
  (CHANGING.has(call) ? (['before', 'after'] as const) : (['after'] as const)).map(
    (when) => [act, when, call, end, from] as const,
  ),
);

// Proves HOOK-04, REFU-03, CONS-07
it.each(KILLS)(
  'a server that is killed during “%s”, %s %s, leaves: %s',
  async (act, when, call, end, from) => {
    stripe.webhooks = { isLost: true };
    const story = await from();
    server.clock.advance(act === 'check' || act === 'refunds' ? 11 * MINUTE_MS : 0);
    expect(await die({ act, call, when }, story)).toBe('SIGKILL');

    await recover(story);
    expect(await endOf(story)).toBe(end);
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
    const waiting = server.ctx.db.selectFrom('providerEvents').select('id').where('doneAt', 'is', null);
    expect(await waiting.execute()).toEqual([]);
  },
);

/** An ad that has earned 85.00, and a payout of it that nothing was sent of yet. */
async function payable(): Promise<Story & { publisher: Client; payeeId: string }> {
  const publisher = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const product = { pricingModel: 'per_impression', duration: null, impressions: 100, price: '100.00' };
  const ad = await makeApprovedAd(publisher, buyer, { product });
  const { clientSecret } = (await beginPayment(buyer, ad)).body as { clientSecret: string };
  stripe.pay(clientSecret, VISA);
  const intentId = clientSecret.split('_secret_')[0] as string;
  expect((await buyer.post('/api/payment-success', { paymentIntentId: intentId })).status).toBe(200);
  await releaseHolds(server, ad);
  await deliver(server, ad, 100);
  const payeeId = await onboard(server.ctx, publisher.user.id);
  stripe.finishOnboarding(payeeId);
  server.clock.advance(31 * DAY_MS);
  expect((await payOut(publisher)).status).toBe(201);
  return { ad, buyer, clientSecret, intentId, publisher, payeeId };
}

async function sent() {
  const story = await payable();
  await runPayouts(server.ctx);
  return story;
}

/** The money is at the publisher's bank, and nothing has told us. */
async function arrived() {
  const story = await sent();
  stripe.payBank(story.payeeId);
  server.clock.advance(4 * DAY_MS);
  return story;
}

/** A dispute that is lost after the payout. */
async function lost() {
  const story = await sent();
  const dispute = stripe.dispute(story.intentId);
  stripe.closeDispute(dispute.id, 'lost');
  server.clock.advance(11 * MINUTE_MS);
  await checkPayments(server.ctx);
  return story;
}

const PAYOUT_KILLS = [
  ['before', 'transfer', 'sent 85.00', payable],
  ['after', 'transfer', 'sent 85.00', payable],
  ['after', 'bankPayoutsSince', 'paid 85.00', arrived],
  ['before', 'reverse', 'reversed 85.00', lost],
  ['after', 'reverse', 'reversed 85.00', lost],
] as const;

// Proves PAYO-04, PAYO-05
it.each(PAYOUT_KILLS)(
  'a server that is killed %s “%s” of a payout leaves: %s',
  async (when, call, end, from) => {
    stripe.webhooks = { isLost: true };
    const story = await from();
    expect(await die({ act: 'payouts', call, when }, story)).toBe('SIGKILL');

    for (let n = 0; n < 4; n++) {
      server.clock.advance(11 * MINUTE_MS * 2 ** n);
      // The request is repeated before any event tells about the first one.
      await runPayouts(server.ctx);
      await checkPayments(server.ctx);
    }
    const { history } = (await story.publisher.get('/api/payouts')).body as Payouts;
    expect(history.map(({ status, amount }) => `${status} ${amount}`)).toEqual([end]);
    const transfers = stripe.requests.filter(
      ({ call, parameters }) =>
        call === 'POST /v1/transfers' && parameters['transfer_group'] === `ad_${story.ad.publicId}`,
    );
    expect(new Set(transfers.map(({ key }) => key)).size).toBe(1);
    const amounts = [];
    for await (const { amount, reversals } of server.ctx.payments.transfersOf(`ad_${story.ad.publicId}`))
      amounts.push([amount, ...reversals.map((reversal) => reversal.amount)]);
    expect(amounts).toEqual([call === 'reverse' ? [8500, 8500] : [8500]]);
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  },
);

/** A dispute whose evidence is not staged yet. */
async function disputed() {
  const story = await paid();
  expect((await story.buyer.post('/api/payment-success', { paymentIntentId: story.intentId })).status).toBe(
    200,
  );
  const { id } = stripe.dispute(story.intentId);
  const payment = await findPaymentOfIntent(server.ctx.db, story.intentId);
  const dispute = await server.ctx.payments.getDispute(id);
  await server.ctx.db
    .transaction()
    .execute((tx) => applyDispute(server.ctx, tx, payment as Payment, dispute));
  return { ...story, disputeId: id };
}

/** Its evidence is staged, and due at the bank tomorrow. */
async function due() {
  const story = await disputed();
  await answerDueDisputes(server.ctx);
  const { dueAt } = await server.ctx.payments.getDispute(story.disputeId);
  server.clock.set(later(dueAt as Date, -DAY_MS));
  return story;
}

const EVIDENCE_KILLS = [
  ['before', 'stageEvidence', disputed],
  ['after', 'stageEvidence', disputed],
  ['before', 'submitEvidence', due],
  ['after', 'submitEvidence', due],
] as const;

// Proves DISP-02
it.each(EVIDENCE_KILLS)(
  'a server that is killed %s “%s” of a dispute leaves evidence that the bank gets once',
  async (when, call, from) => {
    stripe.webhooks = { isLost: true };
    const story = await from();
    const { disputeId } = story;
    expect(await die({ act: 'evidence', call, when }, story)).toBe('SIGKILL');
    const { dueAt } = await server.ctx.payments.getDispute(disputeId);
    for (let n = 0; n < 3; n++) {
      server.clock.advance(16 * MINUTE_MS);
      await answerDueDisputes(server.ctx);
      await checkPayments(server.ctx);
    }
    if (call === 'stageEvidence') {
      expect(await server.ctx.payments.getDispute(disputeId)).toMatchObject({ submissions: 0 });
      server.clock.set(later(dueAt as Date, -DAY_MS));
      await answerDueDisputes(server.ctx);
    }
    expect(await server.ctx.payments.getDispute(disputeId)).toMatchObject({
      submissions: 1,
      status: 'under_review',
    });
    const row = server.ctx.db.selectFrom('disputes').select(['evidenceState', 'evidence']);
    const kept = await row.where('disputeId', '=', disputeId).executeTakeFirstOrThrow();
    expect(kept.evidenceState).toBe('sent');
    const sends = stripe.requests.filter(
      ({ call: made, parameters }) =>
        made === `POST /v1/disputes/${disputeId}` && parameters['submit'] === 'true',
    );
    expect(new Set(sends.map(({ key }) => key)).size).toBe(1);
    expect(stripe.object(disputeId)['evidence']).toMatchObject({
      uncategorized_text: (kept.evidence as Record<string, string>)['summary'],
    });
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  },
);

async function die(
  point: Pick<DyingAct, 'act' | 'call' | 'when'>,
  { ad, buyer, intentId }: Story,
): Promise<string | null> {
  const act: DyingAct = {
    ...point,
    aheadMs: now().getTime() - Date.now(),
    sessionSecret: SESSION_SECRET,
    userId: buyer.user.id,
    adId: ad.id,
    adPublicId: ad.publicId,
    amount: ad.totalAmount,
    intentId,
  };
  const child = spawn(process.execPath, ['server/testing/dying-server.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: COMPILED,
      ...stripe.env,
      PORT: '0',
      PUBLIC_URL: server.url,
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: server.ctx.config.dataDir,
      SAMPLE_DATA: '0',
      DYING_ACT: JSON.stringify(act),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal;
}

/** Goes on after a restart: the jobs run, and so does the advertiser if the ad can still be paid for. */
async function recover({ ad, buyer }: Story): Promise<void> {
  let isPaid = false;
  for (let n = 0; n < 5; n++) {
    server.clock.advance(11 * MINUTE_MS * 2 ** n);
    const waiting = server.ctx.db.selectFrom('providerEvents').select('id').where('doneAt', 'is', null);
    for (const { id } of await waiting.execute()) await applyProviderEvent(server.ctx, id);
    await checkPayments(server.ctx);
    await chargeDueConsents(server.ctx);
    await sendDueRefunds(server.ctx);
    if (isPaid) continue;
    const answer = await beginPayment(buyer, ad);
    if (answer.status !== 200) continue;
    stripe.pay(answer.body.clientSecret as string, VISA);
    const paymentIntentId = (answer.body.clientSecret as string).split('_secret_')[0];
    expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
    isPaid = true;
  }
}

/** The state of the ad, and what Stripe has taken and given back for it. */
async function endOf({ ad, buyer }: Story): Promise<string> {
  const intents: { id: string; received: number }[] = [];
  for await (const intent of server.ctx.payments.intentsSince(new Date(0))) {
    if (intent.metadata['ad_id'] === String(ad.id))
      intents.push({ id: intent.id, received: intent.amountReceived });
  }
  let charged = 0;
  let refunded = 0;
  for (const { id, received } of intents) {
    charged += received;
    for await (const refund of server.ctx.payments.refundsOf(id)) refunded += refund.amount;
  }
  const customers = stripe.requests.filter(
    ({ call, parameters }) =>
      call === 'POST /v1/customers' &&
      (parameters['metadata'] as Record<string, string>)['user_id'] === String(buyer.user.id),
  );
  expect(new Set(customers.map(({ key }) => key)).size).toBe(1);
  const row = server.ctx.db.selectFrom('ads').select('status').where('id', '=', ad.id);
  const { status } = await row.executeTakeFirstOrThrow();
  const money =
    charged === 0
      ? 'not charged'
      : refunded === 0
        ? 'charged once'
        : charged === refunded
          ? 'refunded'
          : 'wrong';
  expect([0, 10_000]).toContain(charged);
  return `${status === 'completed' ? 'active' : status}, ${money}`;
}

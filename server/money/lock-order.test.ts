/**
 * Money events, jobs and acts of one payment, ad, advertiser and publisher, each raced against each. PostgreSQL counts the
 * deadlocks, also those that a later try would hide. The order of the locks is in docs/decisions/049-lock-order.md.
 *
 * `npm test` races every third pair once, the long tier each. `RACES=200 TEST_TIER=long npx vitest run
 * server/money/lock-order.test.ts` races each 200 times, and `RACES_SEED` repeats the pauses of a run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { refundAd } from '#server/operator/money/money.ts';
import { beginPayment, makeApprovedAd } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { makeAd } from '#server/testing/story.ts';
import { confirm, expectSound } from '#server/testing/money/payout-market.ts';
import { onboard, releaseHolds } from '#server/testing/money/payouts.ts';
import type { TestServer } from '#server/testing/server.ts';
import { IS_LONG } from '#server/testing/tier.ts';
import { useServerWithStripe } from '#server/testing/stripe/use-stripe.ts';
import { runMoneyWork } from './books/run.ts';
import { chargeConsented, chargeDueConsents } from './consents/charge.ts';
import { checkPayments } from './events/check-payments.ts';
import { makeMonthlyDocuments } from './documents/months.ts';
import { applyEvent } from './events/events.ts';
import { expireUnpaidAds } from './checkout/expire-unpaid.ts';
import { accrueDue } from './ledger/accrue.ts';
import { runPayouts } from './payouts/run.ts';
import { sendDueTransfers } from './payouts/send.ts';
import { endOverdueAds } from './refunds/endings.ts';
import { sendDueRefunds } from './refunds/send.ts';

vi.setConfig({ testTimeout: 300_000 });

const ROUNDS = Number(process.env['RACES'] ?? 1);
/** 27 works are 378 pairs. Every third one has each work in it, about nine times. */
const STEP = IS_LONG ? 1 : 3;
const SEED = Number(process.env['RACES_SEED'] ?? 1);
const MAX_PAUSE_MS = 4;

/** Waits a random time after each statement, so that two transactions meet in many orders. */
function pausing(seed: number): KyselyPlugin {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await pause(Math.floor(random() * MAX_PAUSE_MS));
      return result;
    },
  };
}

let seller: Client;
let buyer: Client;
let accountId: string;
let plainDb: TestServer['ctx']['db'];
const errors: unknown[] = [];

const { server, stripe } = useServerWithStripe({
  PAYOUT_HOLD_DAYS: '0',
  PAYOUT_FIRST_HOLD_DAYS: '0',
  PAYOUT_MINIMUM: '1.00',
});
beforeAll(async () => {
  plainDb = server.ctx.db;
  const { log } = server.ctx;
  const error = (about: { err?: unknown }) => void errors.push(about.err);
  server.ctx.log = new Proxy(log, {
    get: (target, key) => (key === 'error' ? error : Reflect.get(target, key)),
  });
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  accountId = await onboard(server.ctx, seller.user.id);
  stripe.finishOnboarding(accountId);
});

/** A running campaign with a refund, a decided dispute, a review, and payouts on the way to the publisher's bank. */
type Sale = {
  ad: Ad;
  intentId: string;
  chargeId: string;
  disputeId: string;
  reviewId: string;
  consentId: number;
};

async function sell(): Promise<Sale> {
  const ad = await makeApprovedAd(seller, buyer, {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1_000_000, price: '9000.00' },
  });
  // The other ad of the consent waits for its approval, so that the consent stays alive.
  const { adZoneId, productId, adType } = ad;
  const other = await makeAd(buyer, { adZoneId, id: productId, adType } as Product);
  const begun = await buyer.post('/api/payment-consents', { limit: '18000.00', ads: [ad.id, other.id] });
  expect(begun.status).toBe(201);
  stripe.saveCard(begun.body.clientSecret, '4242424242424242');
  expect((await buyer.post(`/api/payment-consents/${begun.body.id}/confirm`)).status).toBe(200);
  const { clientSecret } = (await beginPayment(buyer, ad)).body as { clientSecret: string };
  const paymentIntentId = clientSecret.split('_secret_')[0] as string;
  stripe.pay(clientSecret, '4242424242424242');
  stripe.makeFeesKnown();
  expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
  await releaseHolds(server, ad);
  await deliver(ad, 1000);
  const { chargeId } = await server.ctx.db
    .selectFrom('payments')
    .select('chargeId')
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
  const disputeId = stripe.dispute(paymentIntentId).id;
  await handle('charge.dispute.created', disputeId);
  stripe.closeDispute(disputeId, 'won');
  await handle('charge.dispute.closed', disputeId);
  const reviewId = stripe.openReview(paymentIntentId).id;
  await handle('review.opened', reviewId);
  stripe.closeReview(reviewId, 'approved');
  await handle('review.closed', reviewId);
  await refundAd(server.ctx, { id: null }, { id: ad.id, amount: 100, reason: 'race' });
  await sendDueRefunds(server.ctx);
  for (let n = 0; n < 3; n++) {
    await deliver(ad, 1000);
    expect((await seller.post('/api/payouts', {})).body).toMatchObject({ status: 'sent' });
    await runPayouts(server.ctx);
    stripe.payBank(accountId);
  }
  const consentId = begun.body.id as number;
  return { ad, intentId: paymentIntentId, chargeId: chargeId as string, disputeId, reviewId, consentId };
}

async function deliver(ad: Ad, views: number): Promise<void> {
  server.clock.advance(1000);
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), views);
  await accrueDue(server.ctx, { early: true });
}

let events = 0;

/** Stores an event of the provider and handles it. */
async function handle(type: string, objectId: string, ofAccount: string | null = null): Promise<void> {
  const id = `evt_race_${++events}`;
  const now = server.ctx.now();
  await plainDb
    .insertInto('providerEvents')
    .values({
      id,
      source: ofAccount === null ? 'account' : 'connect',
      type,
      payload: JSON.stringify({ objectId, metadata: {}, accountId: ofAccount }),
      createdAt: now,
      receivedAt: now,
    })
    .execute();
  await applyEvent(server.ctx, id);
}

async function idOf(table: 'refund_tries' | 'payout_transfers'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select provider_id as id from ${sql.table(table)} where provider_id is not null order by random() limit 1`.execute(
    plainDb,
  );
  return rows[0]?.id as string;
}

/** Makes the latest due. All take the same locks, and each pair adds more of them. */
const due = async (table: 'refunds' | 'payout_transfers') =>
  await sql`update ${sql.table(table)} set look_at = ${server.ctx.now()}
    where id in (select id from ${sql.table(table)} order by id desc limit 3)`.execute(plainDb);

const CONTENDERS: Record<string, (sale: Sale) => Promise<unknown>> = {
  'payment_intent.payment_failed': ({ intentId }) => handle('payment_intent.payment_failed', intentId),
  'charge.failed': ({ chargeId }) => handle('charge.failed', chargeId),
  'payment_intent.succeeded': ({ intentId }) => handle('payment_intent.succeeded', intentId),
  'charge.dispute.updated': ({ disputeId }) => handle('charge.dispute.updated', disputeId),
  'review.closed': ({ reviewId }) => handle('review.closed', reviewId),
  'refund.updated': async () => handle('refund.updated', await idOf('refund_tries')),
  'a refund outside': async ({ intentId }) => handle('refund.created', stripe.refundOutside(intentId, 1).id),
  'transfer.updated': async () => handle('transfer.updated', await idOf('payout_transfers')),
  'payout.paid': () => handle('payout.paid', 'po_1', accountId),
  'account.updated': () => handle('account.updated', accountId, accountId),
  'job: payments': async () => {
    await sql`update payments set next_check_at = ${server.ctx.now()} where status = 'succeeded'`.execute(
      plainDb,
    );
    await checkPayments(server.ctx);
  },
  'job: refunds': async () => {
    await due('refunds');
    await sendDueRefunds(server.ctx);
  },
  'job: transfers': async () => {
    await due('payout_transfers');
    await sendDueTransfers(server.ctx);
  },
  'job: payouts': () => runPayouts(server.ctx),
  'job: earnings': () => accrueDue(server.ctx, { early: true }),
  'job: endings': () => endOverdueAds(server.ctx),
  'job: days': async () => {
    await extendForSilentDays(server.ctx, server.ctx.now());
    await completeDueAds(server.ctx);
  },
  'job: unpaid ads': () => expireUnpaidAds(server.ctx),
  'job: documents': () => makeMonthlyDocuments(server.ctx),
  views: ({ ad }) => countAt(server.ctx, ad, server.ctx.now().toISOString(), 100),
  'payment-success': ({ intentId }) => buyer.post('/api/payment-success', { paymentIntentId: intentId }),
  payout: () => seller.post('/api/payouts', {}),
  'job: charges on approval': async ({ ad }) => {
    await sql`update consent_ads set next_try_at = ${server.ctx.now()}`.execute(plainDb);
    await chargeConsented(server.ctx, ad.id);
    await chargeDueConsents(server.ctx);
  },
  'withdrawing a consent': async ({ consentId }) => await buyer.delete(`/api/payment-consents/${consentId}`),
  'a pause by the advertiser': async ({ ad }) => {
    await buyer.post(`/api/ads/${ad.publicId}/pause`);
    await buyer.post(`/api/ads/${ad.publicId}/resume`);
  },
  quote: ({ ad }) => buyer.get(`/api/ads/${ad.publicId}/refund-quote`),
  refund: ({ ad }) => refundAd(server.ctx, { id: null }, { id: ad.id, amount: 1, reason: 'race' }),
  'closing the account': () => seller.delete('/api/user/account'),
};

async function deadlocks(): Promise<number> {
  // A backend reports its counters at the end of a transaction, at most once a second unless it is asked to.
  await sql`select pg_stat_force_next_flush()`.execute(plainDb);
  const { rows } = await sql<{ n: string }>`
    select deadlocks as n from pg_stat_database where datname = current_database()`.execute(plainDb);
  return Number(rows[0]?.n);
}

/** Runs the work of both at once. Returns the deadlocks that PostgreSQL ended. */
async function race(works: (() => Promise<unknown>)[]): Promise<string[]> {
  errors.length = 0;
  const outcomes = await Promise.allSettled(works.map((work) => work()));
  const failed = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  // A refund that was made outside waits for the answer to one of ours, and its event is tried again.
  return [...failed, ...errors]
    .map(String)
    .filter((text) => !/waits until the provider has answered/.test(text));
}

/** Far longer than a round takes, also beside other tests. */
const ROUND_LIMIT_MS = 600_000;

describe('money events, jobs and acts at once', () => {
  let sale: Sale;
  beforeAll(async () => {
    sale = await sell();
    server.ctx.db = plainDb.withPlugin(pausing(SEED));
  });
  afterAll(() => {
    server.ctx.db = plainDb;
  });
  const names = Object.keys(CONTENDERS);
  const pairs = names
    .flatMap((one, place) => names.slice(place).map((other) => [one, other] as const))
    .filter((_pair, place) => place % STEP === 0);

  it(
    `never wait for each other: each of ${pairs.length} pairs, ${ROUNDS} times`,
    async () => {
      const before = await deadlocks();
      const failures = new Map<string, number>();
      for (let round = 0; round < ROUNDS; round++) {
        for (const person of [seller, buyer]) await confirm(person);
        for (const [one, other] of pairs) {
          const [first, second] = [CONTENDERS[one], CONTENDERS[other]] as NonNullable<
            (typeof CONTENDERS)[string]
          >[];
          server.clock.advance(10);
          for (const failure of await race([() => first!(sale), () => second!(sale)])) {
            const about = `${one} | ${other}: ${failure}`;
            failures.set(about, (failures.get(about) ?? 0) + 1);
          }
        }
      }
      expect(Object.fromEntries(failures)).toEqual({});
      expect((await deadlocks()) - before).toBe(0);
    },
    ROUNDS * ROUND_LIMIT_MS,
  );

  it('leave the books sound', async () => {
    errors.length = 0;
    await runMoneyWork(server.ctx);
    stripe.makeFeesKnown();
    await checkPayments(server.ctx);
    await expectSound(server);
    expect(errors).toEqual([]);
  });
});

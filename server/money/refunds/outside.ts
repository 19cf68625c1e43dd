/**
 * Refunds that the provider made without a request of ours, as in its dashboard or before a backup was restored. Each
 * becomes a refund of ours. See docs/decisions/030-refunds.md.
 */
import { decimalOf, moneyText } from '#domain/money.ts';
import {
  goodwillGiven,
  partOfRefund,
  type Parts,
  sumOfParts,
  suspenseRefunded,
} from '#domain/payments/outside-refunds.ts';
import {
  type RefundCause,
  refundableOf,
  type Shares,
  shareOfRefund,
  sumOf,
} from '#domain/payments/refunds.ts';
import type { Refund } from '#server/platform/provider/payment-provider.ts';
import { lockPayableAd, type PayableAd } from '#server/ads/life/activate.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notify } from '#server/notify/notify.ts';
import { mailOperator } from '#server/notify/mails/operator-mail.ts';
import { findLeftToNote } from '../documents/issue.ts';
import { accrueAd } from '../ledger/accrue.ts';
import { post } from '../ledger/post.ts';
import { postRefund } from '../ledger/refunds.ts';
import { postOfSale } from '../ledger/tax.ts';
import { applyRefund } from './apply.ts';
import { postUndelivered } from './begin.ts';
import { endAndRefund } from './end.ts';
import { sumRefunds } from './store.ts';
import {
  type ChargedPayment,
  decideRefunded,
  findChargedPayment,
  insertOutside,
  insertOutsideTry,
  isRequested,
  listOwedOf,
  lockChargedPayment,
  type OwedRefund,
  takeOff,
} from './store-outside.ts';

const NOTE = 'It was refunded in the card provider’s dashboard.';
const NOTHING: Parts = { publisherCents: 0, commissionCents: 0, goodwillCents: 0 };

/**
 * Applies a refund of the provider, whoever made it, any number of times and in any order. Returns false if it is about no
 * payment of ours, or came back before we learned of it. Throws if it has to wait for an answer of the provider. The caller
 * may hold no lock of an ad or a payment. [FIELD-75]
 */
export async function applyAnyRefund(ctx: Context, tx: Tx, refund: Refund): Promise<boolean> {
  return (await applyRefund(ctx, tx, refund)) || (await adopt(ctx, tx, refund));
}

/** Looks at the provider for refunds of this intent that we don't know, because it has refused one of ours. [FIELD-79] */
export async function adoptRefundsOf(ctx: Context, intentId: string): Promise<void> {
  const refunds: Refund[] = [];
  for await (const refund of ctx.payments.refundsOf(intentId)) refunds.push(refund);
  const problems: unknown[] = [];
  // Those that we requested come first, because the others take from what is owed. One that fails hides no other.
  for (const apply of [applyRefund, applyAnyRefund])
    for (const refund of refunds)
      await ctx.db
        .transaction()
        .execute((tx) => apply(ctx, tx, refund))
        .catch((error: unknown) => problems.push(error));
  if (problems.length > 0) throw problems[0];
}

async function adopt(ctx: Context, tx: Tx, refund: Refund): Promise<boolean> {
  const found = await findChargedPayment(tx, refund.intentId);
  if (found?.book !== ctx.payments.book) return false;
  const ad = await lockPayableAd(tx, { id: found.adId });
  const payment = await lockChargedPayment(tx, found.id);
  if (!ad || payment?.currency !== refund.currency.toUpperCase()) return false;
  // Another transaction may have adopted it while this one waited for the locks.
  if (await applyRefund(ctx, tx, refund)) return true;
  if (refund.status === 'failed' || refund.status === 'canceled')
    return await bookReturned(ctx, tx, payment, refund);
  if (await isRequested(tx, payment.id))
    throw new Error(`The refund ${refund.id} waits until the provider has answered our own request`);
  const owed = await listOwedOf(tx, payment.id);
  const same = owed.find(({ amountCents }) => amountCents === refund.amount);
  const { id, parts } = same
    ? { id: same.id, parts: { owedCents: refund.amount, leftCents: 0, goodwillCents: 0 } }
    : await record(ctx, tx, { ad, payment, owed, amountCents: refund.amount });
  const made = { refundId: id, paymentId: payment.id, providerId: refund.id, beganAt: refund.createdAt };
  await insertOutsideTry(tx, made);
  await tellOperator(ctx, tx, { ad, payment, refund, parts });
  return await applyRefund(ctx, tx, refund);
}

/** Where the money of a refund comes from: what was owed already, what was not delivered, and the marketplace. */
type Sources = { owedCents: number; leftCents: number; goodwillCents: number };

/**
 * Records a refund as ours. It takes first what is owed to the advertiser, then what was not delivered, which ends the
 * campaign if nothing is left. The marketplace bears the rest, because the publisher has delivered it. [FIELD-76]
 */
async function record(
  ctx: Context,
  tx: Tx,
  {
    ad,
    payment,
    owed,
    amountCents,
  }: { ad: PayableAd; payment: ChargedPayment; owed: OwedRefund[]; amountCents: number },
): Promise<{ id: number; parts: Sources }> {
  const now = ctx.now();
  const owedCents = Math.min(
    amountCents,
    owed.reduce((sum, each) => sum + each.amountCents, 0),
  );
  const undelivered = await takeUndelivered(ctx, tx, { ad, payment, wantedCents: amountCents - owedCents });
  const leftCents = sumOf(undelivered);
  const goodwillCents = amountCents - owedCents - leftCents;
  const { taken, notedCents } = await takeOwed(tx, owed, owedCents, now);
  const [first] = owed;
  const { id, ref } = await insertOutside(
    tx,
    {
      paymentId: payment.id,
      cause: owedCents === amountCents && first ? first.cause : CAUSES[payment.status],
      note: NOTE,
      amountCents,
      publisherCents: taken.publisherCents + undelivered.publisherCents,
      commissionCents: taken.commissionCents + undelivered.commissionCents,
      goodwillCents: taken.goodwillCents + goodwillCents,
      noteCents: Math.min(amountCents - notedCents, await findLeftToNote(tx, payment.id)),
    },
    now,
  );
  await postParts(tx, payment, { ref, undelivered, goodwillCents }, now);
  return { id, parts: { owedCents, leftCents, goodwillCents } };
}

const CAUSES: Record<ChargedPayment['status'], RefundCause> = {
  succeeded: 'operator',
  orphaned: 'too_late',
  suspense: 'not_as_agreed',
};

/** Takes up to `wantedCents` of what was neither earned nor refunded, and ends the campaign if nothing is left of it. */
async function takeUndelivered(
  ctx: Context,
  tx: Tx,
  { ad, payment, wantedCents }: { ad: PayableAd; payment: ChargedPayment; wantedCents: number },
): Promise<Shares> {
  const none = { publisherCents: 0, commissionCents: 0 };
  if (payment.status !== 'succeeded' || wantedCents === 0)
    return { ...none, publisherCents: Math.min(wantedCents, payment.suspenseCents) };
  const now = ctx.now();
  const earned = await accrueAd(ctx, tx, ad.id, now);
  if (!earned) throw new Error(`Ad ${ad.id} was paid, but has no earnings`);
  const refunded = await sumRefunds(tx, payment.id);
  const leftCents = refundableOf(payment.price, earned, refunded);
  const cents = Math.min(wantedCents, leftCents);
  const undelivered = cents > 0 ? shareOfRefund(payment.price, earned, refunded, cents) : none;
  if (cents === leftCents && ad.status === 'active')
    await endAndRefund(ctx, tx, { adId: ad.id, endedReason: 'operator', at: now, isRefunded: true });
  else if (cents > 0)
    await notify(ctx, tx, { kind: 'ad-refunded', adId: ad.id, amountCents: cents, reason: NOTE });
  return undelivered;
}

/** Takes `cents` from owed refunds, the oldest first. `notedCents`: the part of them that has a credit note. */
async function takeOwed(
  tx: Tx,
  owed: readonly OwedRefund[],
  cents: number,
  at: Date,
): Promise<{ taken: Parts; notedCents: number }> {
  let [taken, notedCents, rest] = [NOTHING, 0, cents];
  for (const refund of owed) {
    const part = partOfRefund(refund, Math.min(rest, refund.amountCents));
    const partCents = sumOfParts(part);
    if (partCents === 0) break;
    const toNote = refund.hasNote ? 0 : Math.min(partCents, refund.noteCents);
    await takeOff(tx, refund.id, part, { noteCents: refund.noteCents - toNote, at });
    taken = {
      publisherCents: taken.publisherCents + part.publisherCents,
      commissionCents: taken.commissionCents + part.commissionCents,
      goodwillCents: taken.goodwillCents + part.goodwillCents,
    };
    notedCents += partCents - toNote;
    rest -= partCents;
  }
  return { taken, notedCents };
}

async function postParts(
  tx: Tx,
  payment: ChargedPayment,
  { ref, undelivered, goodwillCents }: { ref: string; undelivered: Shares; goodwillCents: number },
  at: Date,
): Promise<void> {
  const leftCents = sumOf(undelivered);
  const { adId, book, currency } = payment;
  const entry = { externalRef: ref, adId, book, currency, occurredAt: at, recordedAt: at };
  if (payment.status === 'suspense') {
    const entries = suspenseRefunded(adId, { suspenseCents: leftCents, goodwillCents });
    if (entries.length > 0) await post(tx, { ...entry, kind: 'suspense_settled', entries });
    if (leftCents > 0 && leftCents === payment.suspenseCents) await decideRefunded(tx, payment.id, at);
    return;
  }
  if (leftCents > 0) await postUndelivered(tx, payment, { ref, shares: undelivered, cause: 'operator' }, at);
  if (goodwillCents === 0) return;
  const entries = goodwillGiven(adId, goodwillCents);
  await postOfSale(tx, { ...entry, kind: 'goodwill', entries }, `goodwill:${ref}`);
}

/** A refund that had come back before we learned of it changes no sale. Its two movements are booked against each other. */
async function bookReturned(ctx: Context, tx: Tx, payment: ChargedPayment, refund: Refund): Promise<boolean> {
  const { balanceTransaction: taken, failureBalanceTransaction: returned } = refund;
  if (!taken || !returned) return false;
  const { book, currency } = payment;
  const entry = {
    providerId: refund.id,
    amountCents: refund.amount,
    book,
    currency,
    adId: null,
    recordedAt: ctx.now(),
    against: { kind: 'provider_clearing', ownerId: null },
  } as const;
  await postRefund(tx, { kind: 'refund', ...entry, transaction: taken });
  await postRefund(tx, { kind: 'refund_failed', ...entry, transaction: returned });
  return true;
}

/** Mails the operator what a refund that nobody made here has changed. [FIELD-76] */
async function tellOperator(
  ctx: Context,
  tx: Tx,
  {
    ad,
    payment,
    refund,
    parts: { owedCents, leftCents, goodwillCents },
  }: { ad: PayableAd; payment: ChargedPayment; refund: Refund; parts: Sources },
): Promise<void> {
  const money = (cents: number) => moneyText(decimalOf(cents), payment.currency);
  const lines = [
    owedCents > 0 && `${money(owedCents)} was owed to the advertiser already.`,
    leftCents > 0 && `${money(leftCents)} was not delivered and is taken from the campaign.`,
    goodwillCents > 0 &&
      `${money(goodwillCents)} was delivered. The publisher keeps what it has earned, and the marketplace bears this part.`,
  ];
  ctx.log.warn(
    { providerId: refund.id, adId: ad.id, owedCents, leftCents, goodwillCents },
    'a refund was made at the provider without a request of ours',
  );
  await mailOperator(ctx, tx, {
    kind: 'refund-adopted',
    title: 'A refund from the card provider’s dashboard is in the books',
    paragraphs: [
      `${money(refund.amount)} of the payment for ad ${ad.id} was refunded without this marketplace (${refund.id}).`,
      ...lines.filter((line) => line !== false),
      'Both sides are told. Refund in the console from now on: it shows what is left before you confirm.',
    ],
    action: { label: 'Open the ad', path: `/operator/ads/${ad.id}` },
  });
}

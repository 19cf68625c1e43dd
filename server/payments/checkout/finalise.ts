import { adPaid, type Entry, orphanPaid, setAside } from '#domain/payments/ledger.ts';
import { CURRENCIES, type Currency } from '#domain/money.ts';
import { FIRST_CHECK_MS } from '#domain/payments/limits.ts';
import { later } from '#domain/time.ts';
import { activateAd, lockPayableAd, type PayableAd, startFor } from '../../ads/activate.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { PaymentIntent } from '../../adapters/payment-provider.ts';
import { differences } from './agreement.ts';
import { notify } from '../../notifications/notify.ts';
import { mailHeld, mailSuspense } from '../../notifications/mails/operator-mail.ts';
import { issueReceipt } from '../documents/issue.ts';
import { cardHash } from './attempts.ts';
import { endConsentOfAd } from './consent-rows.ts';
import { isBookable, postFee } from '../ledger/fees.ts';
import { type LedgerTransaction, post } from '../ledger/post.ts';
import { settleTax } from '../ledger/tax.ts';
import { beginRefund } from '../refunds/begin.ts';
import { installationId } from '../../db/installation.ts';
import { holdIfSamePerson } from '../payees/same-person.ts';
import { findIntent } from './intents.ts';
import {
  findOpenPayment,
  lockPayment,
  markOneCanceled,
  markPaid,
  markSettled,
  type Payment,
} from './payment.ts';

/**
 * The state of a payment: `paid` when its ad is live, `orphaned` when the money came too late and is refunded, `suspense`
 * when the money is not as agreed and the operator has to look at it, `processing` when the bank has not decided,
 * `waiting` when no card was charged yet, `closed` when the intent was canceled.
 */
export type Outcome = 'paid' | 'orphaned' | 'suspense' | 'processing' | 'waiting' | 'closed';

/**
 * Updates a payment to the state of the provider's intent. The payment-success call, the provider's event and the
 * checks all call this function, in any order and concurrently, and exactly one of them activates the ad [PAY-01].
 *
 * A payment that is as agreed gets a receipt. Money for an ad that can no longer go live is booked as owed to the
 * advertiser and refunded in full [PAY-06]. Money that differs from the agreed payment is booked as suspense, and no ad
 * goes live on it [HOOK-03].
 */
export async function finalisePayment(
  ctx: Context,
  tx: Tx,
  known: Payment,
  intent: PaymentIntent,
): Promise<Outcome> {
  const ad = await lockPayableAd(tx, { id: known.adId });
  if (!ad) throw new Error(`Payment ${known.id} belongs to ad ${known.adId}, which does not exist`);
  const payment = await lockPayment(tx, known.id);
  const charged = OUTCOME_OF_CHARGED[payment.status];
  if (charged !== undefined) {
    await settleFee(ctx, tx, payment, intent);
    return charged;
  }
  if (intent.status === 'canceled') {
    await markOneCanceled(tx, payment.id, { at: ctx.now(), nextCheckAt: ctx.now() });
    await markSettled(tx, payment.id);
    return 'closed';
  }
  if (intent.status !== 'succeeded') {
    if (payment.status === 'canceled') return 'closed';
    return intent.status === 'processing' ? 'processing' : 'waiting';
  }
  const wrong = differences(ctx, payment, intent, await installationId(tx));
  if (wrong.length > 0 || intent.chargeId === null)
    return bookInSuspense(ctx, tx, payment, { intent, wrong });

  const { chargeId } = intent;
  const paidAt = ctx.now();
  const isPayable = payment.status === 'open' && ad.status === 'approved' && !isTooLate(ad, intent, paidAt);
  const start = isPayable ? await startFor(tx, ad, paidAt) : null;
  const inTime = start !== null;
  const nextCheckAt = feeDueAt(ctx, intent);
  const card = cardHash(ctx, intent);
  await markPaid(tx, payment.id, inTime ? 'succeeded' : 'orphaned', { chargeId, paidAt, nextCheckAt, card });
  await endConsentOfAd(tx, ad.id, inTime ? 'paid' : 'failed', paidAt);
  if (!inTime) {
    const entries = orphanPaid(ad.id, payment.amountCents);
    await post(tx, { kind: 'orphan_paid', ...bookingOf(ctx, payment, intent), entries });
    await beginRefund(ctx, tx, payment, { amountCents: payment.amountCents, cause: 'too_late' });
    ctx.log.error(
      { paymentId: payment.id, adId: ad.id, adStatus: ad.status },
      'a payment arrived for an ad that can no longer go live; refunding it',
    );
  } else {
    if (!(await activateAd(ctx, tx, ad, { intentId: intent.id, paidAt, start }))) {
      throw new Error(`Ad ${ad.id} is approved and locked but could not be activated`);
    }
    const entries = adPaid({
      id: ad.id,
      amountCents: payment.amountCents,
      commissionCents: payment.commissionCents,
    });
    await post(tx, { kind: 'paid', ...bookingOf(ctx, payment, intent), entries });
    await settleTax(ctx, tx, ad.id, `paid:${payment.id}`);
    await mailHeld(ctx, tx, await holdIfSamePerson(tx, { ...payment, card }, paidAt), 'same_person');
  }
  await settleFee(ctx, tx, { ...payment, chargeId }, intent);
  const receipt = await issueReceipt(ctx, tx, payment.id);
  if (inTime) await notify(ctx, tx, { kind: 'ad-live', adId: ad.id, receipt });
  return inTime ? 'paid' : 'orphaned';
}

/** Whether the card was charged when the ad held its slots no longer. The job that frees them may be late. [WHEN-06] */
const isTooLate = ({ payBy }: PayableAd, { chargedAt }: PaymentIntent, now: Date): boolean =>
  payBy !== null && (chargedAt ?? now) >= payBy;

const OUTCOME_OF_CHARGED: Partial<Record<Payment['status'], Outcome>> = {
  succeeded: 'paid',
  orphaned: 'orphaned',
  suspense: 'suspense',
};

/** Finalizes the ad's open payment; returns null if it has none, or none that the provider could know. */
export async function finaliseOpenPayment(ctx: Context, adId: number): Promise<Outcome | null> {
  const payment = await findOpenPayment(ctx.db, adId);
  return payment ? askAndFinalise(ctx, payment) : null;
}

/**
 * Fetches the intent before the transaction begins, so that no transaction stays open during a network call. Returns null
 * if the provider does not know the intent, or is another one than that of the payment.
 */
export async function askAndFinalise(ctx: Context, payment: Payment): Promise<Outcome | null> {
  const intent = await findIntent(ctx, payment);
  if (intent === null) return null;
  return ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
}

/** Books the money of an intent that is not as agreed, as far as it is in this book. */
async function bookInSuspense(
  ctx: Context,
  tx: Tx,
  payment: Payment,
  { intent, wrong }: { intent: PaymentIntent; wrong: string[] },
): Promise<Outcome> {
  const currency = currencyOf(intent);
  const entries: Entry[] = isInBook(wrong) && currency ? setAside(intent.amountReceived) : [];
  ctx.log.error(
    { paymentId: payment.id, intentId: intent.id, wrong, booked: entries.length > 0 },
    'the money of an intent is not as agreed; the operator has to look at it',
  );
  await markPaid(tx, payment.id, 'suspense', {
    chargeId: intent.chargeId,
    paidAt: ctx.now(),
    nextCheckAt: entries.length > 0 ? feeDueAt(ctx, intent) : null,
    ...(entries.length > 0 && {
      received: { receivedCents: intent.amountReceived, receivedCurrency: currency as Currency },
    }),
    card: cardHash(ctx, intent),
  });
  if (entries.length > 0) {
    await post(tx, {
      kind: 'suspense',
      ...bookingOf(ctx, payment, intent),
      currency: currency as Currency,
      meta: { wrong: wrong.join(' ') },
      entries,
    });
  }
  await mailSuspense(ctx, tx, `The payment ${payment.id} for ad ${payment.adId} is not as agreed.`);
  return 'suspense';
}

const currencyOf = (intent: PaymentIntent): Currency | undefined =>
  CURRENCIES.find((each) => each === intent.currency);

/** Whether the money of an intent belongs in our book, given the fields that are not as agreed. */
const isInBook = (wrong: readonly string[]): boolean =>
  !['book', 'mode', 'installation'].some((each) => wrong.includes(each));

function bookingOf(ctx: Context, payment: Payment, intent: PaymentIntent) {
  const now = ctx.now();
  return {
    externalRef: intent.chargeId ?? intent.id,
    book: payment.book,
    currency: payment.currency,
    occurredAt: intent.chargedAt ?? now,
    recordedAt: now,
    adId: payment.adId,
  } satisfies Partial<LedgerTransaction>;
}

const feeDueAt = (ctx: Context, { balanceTransaction }: PaymentIntent): Date | null =>
  balanceTransaction ? null : later(ctx.now(), FIRST_CHECK_MS);

/** Books the provider's fee as soon as the provider knows it. The payment is checked until then. */
async function settleFee(ctx: Context, tx: Tx, payment: Payment, intent: PaymentIntent): Promise<void> {
  if (intent.balanceTransaction === null || payment.chargeId !== intent.chargeId) return;
  const currency = currencyOf(intent);
  const wrong = differences(ctx, payment, intent, await installationId(tx));
  if (!currency || !isInBook(wrong)) return;
  if (!isBookable(intent.balanceTransaction)) {
    // The sale must not fail because of it.
    ctx.log.error(
      { paymentId: payment.id, currency: intent.balanceTransaction.currency },
      'the provider settles in a currency that the ledger does not have; the fee is not booked',
    );
    return;
  }
  await postFee(tx, {
    book: payment.book,
    currency,
    adId: payment.adId,
    amountCents: intent.amountReceived,
    transaction: intent.balanceTransaction,
    recordedAt: ctx.now(),
  });
  await markSettled(tx, payment.id);
}

import { decimalOf, moneyText } from '#domain/money.ts';
import { stageOf, takesEvidence } from '#domain/payments/disputes.ts';
import { pauseForDispute, resumeAfterDispute } from '#server/ads/life/dispute.ts';
import { lockPayableAd } from '#server/ads/life/activate.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Dispute, FraudWarning, Review } from '#server/platform/provider/payment-provider.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { notify } from '#server/notify/notify.ts';
import { mailHeld, mailOperator } from '#server/notify/mails/operator-mail.ts';
import { postDispute } from '../ledger/disputes.ts';
import { isBookable } from '../ledger/fees.ts';
import { bookLoss } from './lost-disputes.ts';
import { bookReturn } from './recovered-disputes.ts';
import { endAndRefund } from '../refunds/end.ts';
import { lockPayment, type Payment } from '../checkout/payment.ts';
import {
  hasStandingDispute,
  insertHold,
  lockDispute,
  lookAtEvidence,
  releaseHold,
  writeDispute,
} from './store-disputes.ts';

/**
 * Brings our record of a dispute up to the provider's. While it is open, the ad is not shown and its earnings are on hold;
 * both end when it is decided. A lost one also ends the campaign (lost-disputes.ts). Every movement of money is booked
 * once, whatever the order of the events. [HOOK-12]
 */
export async function applyDispute(ctx: Context, tx: Tx, payment: Payment, dispute: Dispute): Promise<void> {
  const now = ctx.now();
  const ad = await lockPayableAd(tx, { id: payment.adId });
  if (!ad) throw new Error(`Payment ${payment.id} belongs to ad ${payment.adId}, which does not exist`);
  await lockPayment(tx, payment.id);
  const { id: disputeId, amount, status, reason, dueAt, createdAt: openedAt, submissions } = dispute;
  const stage = stageOf(status);
  const isOver = stage === 'won' || stage === 'lost';
  const { currency } = payment;
  const known = await lockDispute(
    tx,
    { disputeId, paymentId: payment.id, status, reason, amountCents: amount, currency, dueAt, openedAt },
    now,
  );
  for (const transaction of dispute.balanceTransactions) {
    if (!isBookable(transaction)) {
      // Go on without booking it, because the ad has to be paused.
      ctx.log.error(
        { disputeId, currency: transaction.currency },
        'the provider settles in a currency that the ledger does not have; a dispute is not booked',
      );
      continue;
    }
    const { book, adId } = payment;
    await postDispute(tx, {
      id: known.id,
      amountCents: amount,
      book,
      currency,
      adId,
      transaction,
      recordedAt: now,
    });
  }
  if (known.isBooked) await bookReturn(ctx, tx, { ad, payment, dispute: { id: known.id, disputeId } });
  // An answer that was fetched earlier must not reopen a dispute. An appeal does.
  if (known.closedAt !== null && !isOver && stage !== 'appeal') return;
  await writeDispute(tx, known.id, { status, dueAt, closedAt: isOver ? now : null }, now);
  if (known.status === null && !isOver && stage !== 'appeal') await tellOpened(ctx, tx, payment, dispute);
  if (stage === 'appeal' && (known.status === null || stageOf(known.status) !== 'appeal'))
    await tellAppeal(ctx, tx, payment.adId, dispute);
  await lookAtEvidence(tx, known.id, { isTaken: takesEvidence(status), isSent: submissions > 0 }, now);
  const hold = { adId: payment.adId, reason: 'dispute', externalRef: disputeId } as const;
  if (stage === 'won') {
    await releaseHold(tx, hold, now);
    if (!(await hasStandingDispute(tx, payment.adId))) await resumeAfterDispute(ctx, tx, payment.adId);
    return;
  }
  if (stage === 'lost' && (await bookLoss(ctx, tx, { ad, payment, dispute: { id: known.id, disputeId } }))) {
    await releaseHold(tx, hold, now);
    return;
  }
  // A lost dispute that is booked already has neither hold nor pause.
  if (known.isBooked) return;
  await insertHold(tx, hold, now);
  await pauseForDispute(ctx, tx, { adId: payment.adId, isInquiry: stage === 'inquiry' });
  // The console and `openslot money books` list it as unknown.
  if (stage === 'unknown')
    ctx.log.error({ disputeId, status }, 'the provider reports an unknown status of a dispute');
}

/** Mails the operator a dispute that was not known until now. */
async function tellOpened(
  ctx: Context,
  tx: Tx,
  { adId, currency }: Payment,
  { id, amount, dueAt, status }: Dispute,
): Promise<void> {
  const isInquiry = stageOf(status) === 'inquiry';
  await mailOperator(ctx, tx, {
    kind: 'dispute-opened',
    title: isInquiry ? 'A bank asks about a payment' : 'A payment is disputed',
    paragraphs: [
      `The dispute ${id} is about ${moneyText(decimalOf(amount), currency)}, which was paid for ad ${adId}. The ad is paused, and its earnings are on hold.`,
      dueAt
        ? `The bank takes evidence until ${instantText(dueAt)}. We send what we have a day before that. Look at it now, so that you can add what is missing.`
        : 'The bank takes no evidence.',
    ],
    action: { label: 'Open the books', path: '/operator/books' },
  });
}

/** Mails both sides that the card network decides a dispute again, and the operator, who has to answer it. [DISP-04] */
async function tellAppeal(ctx: Context, tx: Tx, adId: number, { id, amount, dueAt }: Dispute): Promise<void> {
  await notify(ctx, tx, { kind: 'dispute-appealed', adId });
  await mailOperator(ctx, tx, {
    kind: 'dispute-appealed',
    title: 'A dispute is appealed',
    paragraphs: [
      `The card network decides the dispute ${id} about ${moneyText(decimalOf(amount), ctx.config.currency)} again.`,
      dueAt
        ? `Answer in the card provider’s dashboard by ${instantText(dueAt)}. Nothing is sent automatically for an appeal.`
        : 'Look at it in the card provider’s dashboard. Nothing is sent automatically for an appeal.',
    ],
    action: { label: 'Open the books', path: '/operator/books' },
  });
}

/**
 * The bank of a card says that its owner probably did not pay. Ending the campaign and refunding the rest is cheaper
 * for all sides than the dispute that follows. The earnings of the publisher are put on hold. [HOOK-13]
 */
export async function applyFraudWarning(
  ctx: Context,
  tx: Tx,
  payment: Payment,
  warning: FraudWarning,
): Promise<void> {
  const ad = await lockPayableAd(tx, { id: payment.adId });
  if (!ad) throw new Error(`Payment ${payment.id} belongs to ad ${payment.adId}, which does not exist`);
  const now = ctx.now();
  if (await insertHold(tx, { adId: ad.id, reason: 'fraud_warning', externalRef: warning.id }, now))
    await mailHeld(ctx, tx, [ad.id], 'fraud_warning');
  await endAndRefund(ctx, tx, { adId: ad.id, endedReason: 'fraud_warning', at: now });
  ctx.log.warn(
    { warningId: warning.id, adId: ad.id },
    'the card network warns of fraud; ending the campaign',
  );
}

/**
 * The outcomes of a review that clear the payment. Any other outcome, including one that the provider adds later, keeps
 * the hold.
 */
const CLEARED = new Set([
  'approved',
  'acknowledged',
  'canceled',
  'refunded',
  'disputed',
  'payment_never_settled',
]);

/**
 * The provider looks at a payment that a rule found risky. Its earnings are on hold until the review is closed; a refund
 * as fraud keeps the hold, which the operator can release. A dispute has a hold of its own. [HOOK-13]
 */
export async function applyReview(ctx: Context, tx: Tx, payment: Payment, review: Review): Promise<void> {
  const ad = await lockPayableAd(tx, { id: payment.adId });
  if (!ad) throw new Error(`Payment ${payment.id} belongs to ad ${payment.adId}, which does not exist`);
  const hold = { adId: ad.id, reason: 'fraud_warning', externalRef: review.id } as const;
  const now = ctx.now();
  if (review.isOpen) {
    if (await insertHold(tx, hold, now)) await mailHeld(ctx, tx, [ad.id], 'fraud_warning');
  } else if (CLEARED.has(review.closedReason ?? '')) await releaseHold(tx, hold, now);
}

import {
  keptEntries,
  type RefundCause,
  refundableOf,
  type Shares,
  shareOfRefund,
  undeliveredOwed,
} from '#domain/payments/refunds.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { enqueue } from '../../db/job-queue.ts';
import { post } from '../ledger/post.ts';
import { settleTax } from '../ledger/tax.ts';
import { recoverGoodwill } from './goodwill.ts';
import { updateKept } from './store-cancels.ts';
import { insertRefund, priceOf, type RefundablePayment, sumRefunds } from './store.ts';

const NOTHING: Shares = { publisherCents: 0, commissionCents: 0 };

export type NewRefund = {
  amountCents: number;
  cause: RefundCause;
  /** The ad's earnings; nothing if it never went live. */
  earned?: Shares;
  /** The reason that an operator gave. */
  note?: string;
};

/**
 * Records a refund in the caller's transaction, which has locked the ad and its payment. A job sends it to the
 * provider. The undelivered part of a campaign becomes owed to the advertiser in the ledger, after it has repaid what the
 * marketplace bore of earlier refunds. A payment that came too late has been owed since it arrived. Throws RangeError if the
 * amount is more than what is left. [REFU-01]
 */
export async function beginRefund(
  ctx: Context,
  tx: Tx,
  payment: RefundablePayment,
  { amountCents, cause, earned = NOTHING, note }: NewRefund,
): Promise<number> {
  await recoverGoodwill(ctx, tx, payment, earned);
  const shares = shareOfRefund(priceOf(payment), earned, await sumRefunds(tx, payment.id), amountCents);
  const refund = { ...shares, paymentId: payment.id, cause, note: note ?? null };
  const { id, ref } = await insertRefund(tx, refund, ctx.now());
  if (cause !== 'too_late') await postUndelivered(ctx, tx, payment, { ref, shares, cause });
  await enqueue(tx, 'send-refund', { refundId: id });
  return id;
}

/** Books the undelivered part of a campaign, or a part of it, as owed to the advertiser. */
export async function postUndelivered(
  ctx: Context,
  tx: Tx,
  { adId, book, currency }: Pick<RefundablePayment, 'adId' | 'book' | 'currency'>,
  { ref, shares, cause }: { ref: string; shares: Shares; cause: RefundCause },
): Promise<void> {
  const now = ctx.now();
  await post(tx, {
    kind: 'undelivered',
    externalRef: ref,
    book,
    currency,
    occurredAt: now,
    recordedAt: now,
    adId,
    meta: { cause },
    entries: undeliveredOwed(adId, shares),
  });
  await settleTax(ctx, tx, adId, `undelivered:${ref}`);
}

/**
 * Records the refund of a whole payment in suspense, in the caller's transaction, which has booked it as owed. A job sends
 * it to the provider.
 */
export async function beginSuspenseRefund(
  ctx: Context,
  tx: Tx,
  paymentId: number,
  amountCents: number,
): Promise<void> {
  const refund = { paymentId, publisherCents: amountCents, commissionCents: 0, note: null };
  const { id } = await insertRefund(tx, { ...refund, cause: 'not_as_agreed' }, ctx.now());
  await enqueue(tx, 'send-refund', { refundId: id });
}

/** The amount of a payment that can still be refunded, in cents, given what its ad has earned. */
export async function leftToRefund(tx: Tx, payment: RefundablePayment, earned: Shares): Promise<number> {
  return refundableOf(priceOf(payment), earned, await sumRefunds(tx, payment.id));
}

/**
 * A cancel that is carried out, with the fee that is kept of its refund, and whether it has waited for the operator.
 */
export type Carried = { id: number; feeCents: number; isReleased: boolean };

/**
 * Keeps the fee from what an ad has not earned, in the caller's transaction, which has locked the ad and its payment. What
 * is kept is never more than what is left. Returns it in cents. [OWNS-80]
 */
export async function keepFee(
  ctx: Context,
  tx: Tx,
  payment: RefundablePayment,
  { id, feeCents, earned, leftCents }: Omit<Carried, 'isReleased'> & { earned: Shares; leftCents: number },
): Promise<number> {
  const keptCents = Math.min(feeCents, leftCents);
  if (keptCents === 0) return 0;
  const before = await sumRefunds(tx, payment.id);
  const kept = shareOfRefund(priceOf(payment), earned, before, keptCents);
  await updateKept(tx, id, kept);
  const now = ctx.now();
  await post(tx, {
    kind: 'cancel_fee',
    externalRef: `cancel:${id}`,
    book: payment.book,
    currency: payment.currency,
    occurredAt: now,
    recordedAt: now,
    adId: payment.adId,
    entries: keptEntries(payment.adId, kept),
  });
  await settleTax(ctx, tx, payment.adId, `cancel_fee:${id}`);
  return keptCents;
}

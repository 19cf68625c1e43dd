/**
 * The end of a running campaign, with the refund of its undelivered part:
 * 1. lock the ad and its payment
 * 2. post what it has earned (ledger/accrue.ts)
 * 3. end it, and take the cancel that waits, whose fee was agreed to
 * 4. divide what is left into the fee of a cancel and the refund
 * 5. keep the fee, and begin the refund (begin.ts)
 * 6. notify both sides
 */
import type { EndedReason } from '#domain/ads/ended.ts';
import { keepsAgreedFee } from '#domain/payments/cancels.ts';
import { plus, refundableOf, type Shares, shareOfRefund } from '#domain/payments/refunds.ts';
import { lockPayableAd } from '#server/ads/life/activate.ts';
import { endAd } from '#server/ads/life/end.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notify } from '#server/notify/notify.ts';
import { accrueAd } from '../ledger/accrue.ts';
import { beginRefund, keepFee } from './begin.ts';
import { closeWaiting } from './store-cancels.ts';
import { lockPaymentOfAd, sumRefunds } from './store.ts';

export type AdToEnd = {
  adId: number;
  endedReason: Exclude<EndedReason, 'delivered'>;
  /** The present moment, or the moment of a quote that is honored. */
  at: Date;
  /** The delivered units of a quote that is honored. */
  units?: number;
  /** The reason of a take-down, which both sides and the archive show. */
  takenDownReason?: string;
  /** An operator's reason for the refund. */
  note?: string;
  /** The provider has refunded the rest already, and the caller records that. */
  isRefunded?: true;
  /** A cancel by the advertiser, and the fee that is kept of its refund. */
  cancel?: Carried;
};

/** A cancel that is carried out, with the fee that is kept of its refund, and whether it has waited for the operator. */
type Carried = { id: number; feeCents: number; isReleased: boolean };

/** Units are counted impressions or clicks, or seconds. `keptCents` is the fee that was kept of the refund. */
export type Ending = { delivered: number; bought: number; refundCents: number; keptCents: number };

/**
 * Ends a running campaign in the caller's transaction: books what it has earned until `at`, begins the refund of the rest
 * and notifies both sides. If a cancel of it waits for the operator, the fee that was agreed is kept as well. Returns null
 * and changes nothing if the campaign is not running. [REFU-04, REFU-201]
 */
export async function endAndRefund(ctx: Context, tx: Tx, ending: AdToEnd): Promise<Ending | null> {
  const { adId, endedReason, at, units, takenDownReason, note, isRefunded } = ending;
  const ad = await lockPayableAd(tx, { id: adId });
  if (ad?.status !== 'active') return null;
  const payment = await lockPaymentOfAd(tx, adId);

  // The clock of an ad by the day is only known while it runs.
  const earned = await accrueAd(ctx, tx, adId, at, units);
  if (!payment || !earned) throw new Error(`Ad ${adId} is running, but it has no payment`);

  const end = { endedReason, at, ...(takenDownReason !== undefined && { takenDownReason }) };
  if (!(await endAd(tx, adId, end)))
    throw new Error(`Ad ${adId} is running and locked but could not be ended`);
  const waiting = ad.isCancelWaiting ? await closeWaiting(tx, adId, at) : null;
  const cancel = ending.cancel ?? (keepsAgreedFee(endedReason) ? waiting : null);

  const { price } = payment;
  const before = await sumRefunds(tx, payment.id);
  const leftCents = refundableOf(price, earned, before);
  // The kept fee is never more than what is left.
  const keptCents = Math.min(cancel?.feeCents ?? 0, leftCents);
  const refundCents = leftCents - keptCents;

  const now = ctx.now();
  let refunded: Shares = before;
  if (cancel && keptCents > 0) {
    const kept = shareOfRefund(price, earned, before, keptCents);
    await keepFee(tx, payment, { cancelId: cancel.id, kept }, now);
    refunded = plus(before, kept);
  }
  if (refundCents > 0 && !isRefunded) {
    // The refund of a cancel is the one whose credit note has the kept fee (ledger/kept.ts).
    const cause = cancel ? 'canceled' : endedReason;
    const refund = { amountCents: refundCents, cause, earned, refunded, note } as const;
    await beginRefund(tx, payment, refund, now);
  }

  const { units: delivered, bought } = earned;
  // The mail about a take-down has the operator's reason, and its sender adds the amount.
  if (endedReason !== 'taken_down')
    await notify(ctx, tx, {
      kind: 'ad-ended',
      adId,
      endedReason,
      delivered,
      bought,
      refundCents,
      keptCents,
      isReleased: ending.cancel?.isReleased ?? false,
    });
  return { delivered, bought, refundCents, keptCents };
}

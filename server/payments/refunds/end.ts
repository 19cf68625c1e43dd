import type { EndedReason } from '#domain/ads/ended.ts';
import { lockPayableAd } from '../../ads/activate.ts';
import { endAd } from '../../ads/end.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { notify } from '../../notifications/notify.ts';
import { accrueAd } from '../ledger/accrue.ts';
import { beginRefund, type Carried, keepFee, leftToRefund } from './begin.ts';
import { closeWaiting } from './store-cancels.ts';
import { lockPaymentOfAd } from './store.ts';

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

/** Units are counted impressions or clicks, or seconds. */
export type Ending = { delivered: number; bought: number; refundCents: number };

/**
 * Ends a running campaign in the caller's transaction: books what it has earned until `at`, begins the refund of the rest
 * and notifies both sides. Returns null and changes nothing if the campaign is not running. [REFU-04]
 */
export async function endAndRefund(ctx: Context, tx: Tx, ending: AdToEnd): Promise<Ending | null> {
  const { adId, endedReason, at, units, takenDownReason, note, isRefunded, cancel } = ending;
  const ad = await lockPayableAd(tx, { id: adId });
  if (ad?.status !== 'active') return null;
  const payment = await lockPaymentOfAd(tx, adId);
  // The clock of an ad by the day is only known while it runs.
  const earned = await accrueAd(ctx, tx, adId, at, units);
  if (!payment || !earned) throw new Error(`Ad ${adId} is running, but it has no payment`);
  if (
    !(await endAd(tx, adId, { endedReason, at, ...(takenDownReason !== undefined && { takenDownReason }) }))
  )
    throw new Error(`Ad ${adId} is running and locked but could not be ended`);
  if (ad.isCancelWaiting) await closeWaiting(tx, adId, at);
  const leftCents = await leftToRefund(tx, payment, earned);
  const keptCents = cancel ? await keepFee(ctx, tx, payment, { ...cancel, earned, leftCents }) : 0;
  const refundCents = leftCents - keptCents;
  if (refundCents > 0 && !isRefunded) {
    const refund = { amountCents: refundCents, cause: endedReason, earned };
    await beginRefund(ctx, tx, payment, note === undefined ? refund : { ...refund, note });
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
      isReleased: cancel?.isReleased ?? false,
    });
  return { delivered, bought, refundCents };
}

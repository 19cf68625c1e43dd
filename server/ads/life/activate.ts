import { endDate } from '#domain/ads/completion.ts';
import type { EndedReason } from '#domain/ads/ended.ts';
import type { AdStatus } from '#domain/ads/status.ts';
import type { Reference } from '#domain/fields.ts';
import { type AdPlan, planOf } from '#domain/inventory/pricing.ts';
import { centsOf } from '#domain/money.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { soldDayViews } from '../availability.ts';
import { requireFreeStart, type Startable, takeStart } from '../booking/book-days.ts';
import { followEndDates } from '../booking/follow-ends.ts';
import { findAd, lockAd, moveAd } from '../store.ts';
import { holdIfUnverified } from './unverified-site.ts';

/** The fields of an ad that a payment needs. Amounts are in cents. */
export type PayableAd = {
  id: number;
  publicId: string;
  userId: number;
  publisherId: number;
  status: AdStatus;
  endedReason: EndedReason | null;
  /** Whether the operator has suspended the ad, its zone, its website or a person behind them. */
  isSuspended: boolean;
  /** Whether the advertiser has disputed the payment with their bank. */
  isDisputed: boolean;
  /** Whether the ad is paused because of its target. */
  isTargetPaused: boolean;
  /** Whether its advertiser's cancel waits for the operator. */
  isCancelWaiting: boolean;
  plan: AdPlan;
  zoneId: number;
  chosenStart: string | null;
  /** Until when the ad holds its slots without a payment; null if it holds none. */
  payBy: Date | null;
  /** Whether the ad zone is offered at present. */
  isZoneOffered: boolean;
  amountCents: number;
  commissionCents: number;
  commissionPercent: number;
};

/**
 * Locks the ad until the transaction ends; null if there is no such ad. Every transaction locks the ad first and its
 * payments second, so that two of them cannot deadlock.
 */
export async function lockPayableAd(tx: Tx, ref: Reference): Promise<PayableAd | null> {
  const ad = await lockAd(tx, ref);
  if (!ad) return null;
  return {
    id: ad.id,
    publicId: ad.publicId,
    userId: ad.userId,
    publisherId: ad.publisherId,
    status: ad.status,
    endedReason: ad.endedReason,
    isSuspended: ad.suspendedSince !== null,
    isDisputed: ad.disputedAt !== null,
    isTargetPaused: ad.targetPausedAt !== null,
    isCancelWaiting: ad.cancelAskedAt !== null,
    plan: planOf(ad),
    zoneId: ad.adZoneId,
    chosenStart: ad.chosenStart,
    payBy: ad.payBy,
    isZoneOffered: ad.isZoneOffered,
    amountCents: centsOf(ad.totalAmount),
    commissionCents: centsOf(ad.commissionAmount),
    commissionPercent: Number(ad.commissionPercent),
  };
}

const startable = (ad: PayableAd): Startable => ({ ...ad, adId: ad.id });

/** Throws 409 if an ad that is paid now could not start. */
export async function requireStartFor(tx: Tx, ad: PayableAd, now: Date): Promise<void> {
  await requireFreeStart(tx, startable(ad), now);
}

/** When an ad that is paid at `paidAt` starts; null if its days are taken by others, so that it cannot run. */
export async function startFor(tx: Tx, ad: PayableAd, paidAt: Date): Promise<Date | null> {
  return await takeStart(tx, startable(ad), paidAt);
}

/**
 * Makes a paid ad live: approved -> active. It is served from `start` on. Returns false and writes nothing if the ad is not
 * approved. The caller notifies both sides. The database refuses the transaction unless it also records the payment. [OP-063]
 */
export async function activateAd(
  ctx: Context,
  tx: Tx,
  { id: adId, plan }: Pick<PayableAd, 'id' | 'plan'>,
  payment: { intentId: string; paidAt: Date; start: Date },
): Promise<boolean> {
  const ad = await findAd(tx, { id: adId });
  if (!ad) throw new Error(`There is no ad ${adId}`);
  const activated = await moveAd(tx, adId, 'pay', payment.paidAt, {
    paymentIntentId: payment.intentId,
    startDate: payment.start,
    endDate: endDate(plan, payment.start),
    minDayViews: await soldDayViews(ctx, tx, ad),
  });
  if (activated) {
    // An ad that starts in the middle of a day ends in the middle of the day after its booked ones.
    await followEndDates(tx, [adId], payment.paidAt);
    await holdIfUnverified(tx, { adId }, payment.paidAt);
  }
  return activated;
}

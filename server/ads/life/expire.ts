import { DAYS_FREED_REASON } from '#domain/ads/booking.ts';
import { canApply, PAYMENT_DEADLINE_REASON, WITHDRAWN_REASON } from '#domain/ads/status.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notify } from '#server/notify/notify.ts';
import { listUnpaid, lockAd, moveAd, type AdRow, findAd } from '../store.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { adReply } from '../reply.ts';

/**
 * Ids of unpaid ads that were approved before `deadline`, or that hold slots no longer: ascending, above `after`, at most
 * `limit`.
 */
export async function listOverdueAds(
  { db, now }: Pick<Context, 'db' | 'now'>,
  deadline: Date,
  after: number,
  limit: number,
): Promise<number[]> {
  return await listUnpaid(db, { now: now(), deadline }, after, limit);
}

/**
 * Rejects one unpaid ad whose time to pay is over, and e-mails its advertiser. Its slots are free again. Holds the ad until
 * the transaction ends. Returns false if the ad has changed since it was listed.
 */
export async function expireUnpaidAd(ctx: Context, tx: Tx, adId: number, deadline: Date): Promise<boolean> {
  const ad = await lockAd(tx, { id: adId });
  if (!ad || !canApply('expire', ad.status) || !ad.approvedAt) return false;
  const isFreed = ad.payBy !== null && ad.payBy <= ctx.now();
  if (!isFreed && ad.approvedAt > deadline) return false;
  const rejectionReason = isFreed ? DAYS_FREED_REASON : PAYMENT_DEADLINE_REASON;
  await moveAd(tx, adId, 'expire', ctx.now(), { rejectionReason, approvedAt: null });
  await notify(ctx, tx, { kind: 'ad-expired', adId });
  return true;
}

/** Withdraws a pending or approved ad. Holds the ad until the transaction ends. Throws 409 in every other state. */
export async function withdrawNow(ctx: Context, tx: Tx, adId: number): Promise<Ad> {
  const { status } = (await lockAd(tx, { id: adId })) as AdRow;
  const now = ctx.now();
  const changes = { rejectionReason: WITHDRAWN_REASON, withdrawnAt: now, approvedAt: null };
  if (!(await moveAd(tx, adId, 'withdraw', now, changes)))
    throw conflict(`This ad is ${status}, so it can’t be withdrawn. Please reload the page.`);
  return adReply((await findAd(tx, { id: adId })) as AdRow);
}

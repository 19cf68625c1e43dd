import { canApply, PAYMENT_DEADLINE_REASON } from '#domain/ads/status.ts';
import type { Context } from '../context.ts';
import type { Database, Tx } from '../db/database.ts';
import { notify } from '../notifications/notify.ts';
import { listUnpaid, lockAd, moveAd } from './store.ts';

/** Ids of ads that were approved before `deadline` and are still unpaid: ascending, above `after`, at most `limit`. */
export async function listOverdueAds(
  db: Database,
  deadline: Date,
  after: number,
  limit: number,
): Promise<number[]> {
  return await listUnpaid(db, deadline, after, limit);
}

/**
 * Rejects one ad that was approved before `deadline` and is still unpaid, and e-mails its advertiser. Holds the ad until
 * the transaction ends. Returns false if the ad has changed since it was listed.
 */
export async function expireUnpaidAd(ctx: Context, tx: Tx, adId: number, deadline: Date): Promise<boolean> {
  const ad = await lockAd(tx, { id: adId });
  if (!ad || !canApply('expire', ad.status) || !ad.approvedAt || ad.approvedAt > deadline) return false;
  await moveAd(tx, adId, 'expire', ctx.now(), { rejectionReason: PAYMENT_DEADLINE_REASON, approvedAt: null });
  await notify(ctx, tx, { kind: 'ad-expired', adId });
  return true;
}

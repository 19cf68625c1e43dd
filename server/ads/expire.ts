import { canApply, PAYMENT_DEADLINE_MS, PAYMENT_DEADLINE_REASON } from '#domain/ads/status.ts';
import { later } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { notify } from '../notifications/notify.ts';
import { closeOpenPayments } from '../payments/close.ts';
import { finaliseOpenPayment } from '../payments/finalise.ts';
import { listUnpaid, lockAd, moveAd } from './store.ts';

const BATCH = 200;

/**
 * Rejects ads that were approved 14 days ago and are still unpaid, so that they do not block their zone for ever
 * (design 6.8); how many. Before that the provider is asked once more: a payment it knows of wins.
 */
export async function expireUnpaidAds(ctx: Context): Promise<number> {
  const deadline = later(ctx.now(), -PAYMENT_DEADLINE_MS);
  let expired = 0;
  let after = 0;
  for (;;) {
    const due = await listUnpaid(ctx.db, deadline, after, BATCH);
    for (const adId of due) if (await expireAd(ctx, adId, deadline)) expired++;
    if (due.length < BATCH) return expired;
    after = due.at(-1) as number;
  }
}

async function expireAd(ctx: Context, adId: number, deadline: Date): Promise<boolean> {
  try {
    await finaliseOpenPayment(ctx, adId);
  } catch (error) {
    // The provider cannot be asked just now. The ad waits for the next round rather than lose a payment.
    ctx.log.warn({ err: error, adId }, 'an unpaid ad could not be expired');
    return false;
  }
  return ctx.db.transaction().execute(async (tx) => {
    const ad = await lockAd(tx, { id: adId });
    if (!ad || !canApply('expire', ad.status) || !ad.approvedAt || ad.approvedAt > deadline) return false;
    await closeOpenPayments(ctx, tx, [adId]);
    await moveAd(tx, adId, 'expire', ctx.now(), {
      rejectionReason: PAYMENT_DEADLINE_REASON,
      approvedAt: null,
    });
    await notify(ctx, tx, { kind: 'ad-expired', adId });
    return true;
  });
}

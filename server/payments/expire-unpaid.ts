import { PAYMENT_DEADLINE_MS } from '#domain/ads/status.ts';
import { later } from '#domain/time.ts';
import { expireUnpaidAd, listOverdueAds } from '../ads/expire.ts';
import type { Context } from '../context.ts';
import { closeOpenPayments } from './close.ts';
import { finaliseOpenPayment } from './finalise.ts';

const BATCH = 200;

/**
 * Rejects ads that were approved at least 14 days ago and are still unpaid, so that they do not block the deletion of
 * their zone forever; returns how many. Before that, it asks the provider about each ad's open payment: an ad that has
 * been paid for goes live instead. [STATE-33]
 */
export async function expireUnpaidAds(ctx: Context): Promise<number> {
  const deadline = later(ctx.now(), -PAYMENT_DEADLINE_MS);
  let expired = 0;
  let after = 0;
  for (;;) {
    const due = await listOverdueAds(ctx.db, deadline, after, BATCH);
    for (const adId of due) if (await expireAd(ctx, adId, deadline)) expired++;
    if (due.length < BATCH) return expired;
    after = due.at(-1) as number;
  }
}

async function expireAd(ctx: Context, adId: number, deadline: Date): Promise<boolean> {
  try {
    await finaliseOpenPayment(ctx, adId);
  } catch (error) {
    // The provider cannot be reached. The ad stays approved until the next run, so that no payment is lost.
    ctx.log.warn({ err: error, adId }, 'an unpaid ad could not be expired');
    return false;
  }
  return await ctx.db.transaction().execute(async (tx) => {
    if (!(await expireUnpaidAd(ctx, tx, adId, deadline))) return false;
    await closeOpenPayments(ctx, tx, [adId]);
    return true;
  });
}

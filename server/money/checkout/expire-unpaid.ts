import { PAYMENT_DEADLINE_MS } from '#domain/ads/status.ts';
import { later } from '#domain/time.ts';
import { expireUnpaidAd, listOverdueAds } from '#server/ads/life/expire.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/database/batches.ts';
import { isAway } from '../provider-requests/answer-time.ts';
import { closeOpenPayments } from './close.ts';
import { finaliseOpenPayment } from './finalise.ts';

/** If the provider is away for so many ads in a row, the rest waits for the next run. */
const AWAY_AFTER = 3;

/**
 * Rejects approved ads whose time to pay is over (`EXPIRES_AFTER_DAYS`, and `PAY_WITHIN_DAYS` for those that hold slots);
 * returns how many. Before that, it asks the provider about each ad's open payment: an ad that has
 * been paid for goes live instead, and one whose payment is being processed waits. [STATE-33]
 */
export async function expireUnpaidAds(ctx: Context): Promise<number> {
  const deadline = later(ctx.now(), -PAYMENT_DEADLINE_MS);
  const due = inBatches<number>((after, limit) => listOverdueAds(ctx, deadline, after ?? 0, limit));
  let expired = 0;
  let away = 0;
  for await (const adId of due) {
    const result = await expireAd(ctx, adId, deadline);
    if (result === 'expired') expired++;
    away = result === 'away' ? away + 1 : 0;
    if (away >= AWAY_AFTER) break;
  }
  return expired;
}

async function expireAd(ctx: Context, adId: number, deadline: Date): Promise<'expired' | 'kept' | 'away'> {
  try {
    if ((await finaliseOpenPayment(ctx, adId)) === 'processing') return 'kept';
  } catch (error) {
    // The ad stays approved until the next run, so that no payment is lost.
    ctx.log.warn({ err: error, adId }, 'an unpaid ad could not be expired');
    return isAway(error) ? 'away' : 'kept';
  }
  return await ctx.db.transaction().execute(async (tx) => {
    if (!(await expireUnpaidAd(ctx, tx, adId, deadline))) return 'kept';
    await closeOpenPayments(ctx, tx, [adId]);
    return 'expired';
  });
}

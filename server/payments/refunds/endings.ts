/** Campaigns that end without their advertiser's request, and the refund of their undelivered part. [REFU-07] */
import { QUOTA_ENDS_AFTER_MS, SILENT_ENDS_AFTER_MS } from '#domain/ads/silence.ts';
import { sumOf } from '#domain/payments/refunds.ts';
import { later } from '#domain/time.ts';
import { lockPayableAd } from '../../ads/activate.ts';
import { listOverdueQuotas, listSilentTooLong, noteSilentTags } from '../../ads/clock/silence.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { accrueAd } from '../ledger/accrue.ts';
import { beginRefund, leftToRefund } from './begin.ts';
import { type AdToEnd, endAndRefund } from './end.ts';
import { lockPaymentOfAd } from './store.ts';
import { listEndedWithRest, listPartlyRefunded, lockAdsOfPublisher } from './store-endings.ts';

const BATCH = 200;

/**
 * The job: pauses the campaigns of silent tags, ends those that are overdue, and refunds what is left of ended ones. An ad
 * that fails is logged, and the next run tries it again. Returns the number of ads that it ended or refunded.
 */
export async function endOverdueAds(ctx: Context): Promise<number> {
  const now = ctx.now();
  await noteSilentTags(ctx);
  const ends = (endedReason: AdToEnd['endedReason']) => async (tx: Tx, adId: number) =>
    (await endAndRefund(ctx, tx, { adId, endedReason, at: now })) !== null;
  let done = 0;
  const silent = later(now, -SILENT_ENDS_AFTER_MS);
  done += await each(ctx, (after) => listSilentTooLong(ctx, silent, after, BATCH), ends('tag_silent'));
  const started = later(now, -QUOTA_ENDS_AFTER_MS);
  done += await each(ctx, (after) => listOverdueQuotas(ctx, started, after, BATCH), ends('quota_unfinished'));
  done += await each(
    ctx,
    (after) => listPartlyRefunded(ctx.db, after, BATCH),
    (tx, adId) => endIfNothingIsLeft(ctx, tx, adId, now),
  );
  done += await each(
    ctx,
    (after) => listEndedWithRest(ctx.db, after, BATCH),
    (tx, adId) => refundRest(ctx, tx, adId, now),
  );
  return done;
}

/**
 * Ends all running campaigns in the ad zones of a suspended publisher, in the caller's transaction. Their advertisers
 * get a refund of the undelivered part. Returns how many.
 */
export async function endAdsOfPublisher(ctx: Context, tx: Tx, userId: number): Promise<number> {
  // All ads are locked before the first posting, which locks the publisher's balance.
  const running = await lockAdsOfPublisher(tx, userId);
  for (const adId of running)
    await endAndRefund(ctx, tx, { adId, endedReason: 'publisher_suspended', at: ctx.now() });
  return running.length;
}

/** After a partial refund of the operator, a campaign ends when the rest of its price is earned. */
async function endIfNothingIsLeft(ctx: Context, tx: Tx, adId: number, now: Date): Promise<boolean> {
  const ad = await lockPayableAd(tx, { id: adId });
  const payment = await lockPaymentOfAd(tx, adId);
  const earned = payment && ad?.status === 'active' && (await accrueAd(ctx, tx, adId, now));
  if (!earned || sumOf(await leftToRefund(tx, payment, earned)) > 0) return false;
  return (await endAndRefund(ctx, tx, { adId, endedReason: 'operator', at: now })) !== null;
}

/** Traffic that is withdrawn after a campaign has ended was not delivered, so its price goes back as well. */
async function refundRest(ctx: Context, tx: Tx, adId: number, now: Date): Promise<boolean> {
  const ad = await lockPayableAd(tx, { id: adId });
  const payment = await lockPaymentOfAd(tx, adId);
  const earned = payment && ad?.status === 'completed' && (await accrueAd(ctx, tx, adId, now));
  if (!earned) return false;
  const amountCents = sumOf(await leftToRefund(tx, payment, earned));
  if (amountCents === 0) return false;
  await beginRefund(ctx, tx, payment, { amountCents, cause: ad.endedReason ?? 'delivered', earned });
  return true;
}

/** Runs `work` for each ad of a list in pages, each in its own transaction. Returns for how many it did something. */
async function each(
  ctx: Context,
  list: (after: number) => Promise<number[]>,
  work: (tx: Tx, adId: number) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  for (let after = 0; ;) {
    const ads = await list(after);
    for (const adId of ads) {
      try {
        if (await ctx.db.transaction().execute((tx) => work(tx, adId))) done++;
      } catch (error) {
        ctx.log.error({ err: error, adId }, 'a campaign could not be ended or refunded; trying again');
      }
    }
    const last = ads.at(-1);
    if (last === undefined || ads.length < BATCH) return done;
    after = last;
  }
}

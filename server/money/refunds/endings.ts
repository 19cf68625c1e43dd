/** Campaigns that end without their advertiser's request, and the refund of their undelivered part. [REFU-07] */
import { QUOTA_ENDS_AFTER_MS, SILENT_ENDS_AFTER_MS } from '#domain/ads/silence.ts';
import { refundableOf } from '#domain/payments/refunds.ts';
import { later } from '#domain/time.ts';
import { lockPayableAd } from '#server/ads/life/activate.ts';
import { listOverdueQuotas, listSilentTooLong, noteSilentTags } from '#server/ads/clock/silence.ts';
import type { Context } from '#server/platform/context.ts';
import { eachDue, type ReadBatch } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { accrueAd } from '../ledger/accrue.ts';
import { beginRefund, recoverGoodwill } from './begin.ts';
import { type AdToEnd, endAndRefund } from './end.ts';
import { lockPaymentOfAd, sumRefunds } from './store.ts';
import { listPartlyRefunded, listUnsettled, lockAdsOfPublisher, markSettled } from './store-endings.ts';

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
  done += await each(
    ctx,
    (after, limit) => listSilentTooLong(ctx, silent, after ?? 0, limit),
    ends('tag_silent'),
  );
  const started = later(now, -QUOTA_ENDS_AFTER_MS);
  done += await each(
    ctx,
    (after, limit) => listOverdueQuotas(ctx, started, after ?? 0, limit),
    ends('quota_unfinished'),
  );
  done += await each(
    ctx,
    (after, limit) => listPartlyRefunded(ctx.db, after ?? 0, limit),
    (tx, adId) => endIfNothingIsLeft(ctx, tx, adId, now),
  );
  done += await each(
    ctx,
    (after, limit) => listUnsettled(ctx.db, after ?? 0, limit),
    (tx, adId) => settle(ctx, tx, adId, now),
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
  if (!earned || refundableOf(payment.price, earned, await sumRefunds(tx, payment.id)) > 0) return false;
  return (await endAndRefund(ctx, tx, { adId, endedReason: 'operator', at: now })) !== null;
}

/** Refunds what is left of an ended campaign, so that the next run does not look at it again. Returns whether it did. */
async function settle(ctx: Context, tx: Tx, adId: number, now: Date): Promise<boolean> {
  const isRefunded = await refundRest(ctx, tx, adId, now);
  await markSettled(tx, adId);
  return isRefunded;
}

/** Traffic that is withdrawn after a campaign has ended was not delivered, so its price goes back as well. */
async function refundRest(ctx: Context, tx: Tx, adId: number, now: Date): Promise<boolean> {
  const ad = await lockPayableAd(tx, { id: adId });
  const payment = await lockPaymentOfAd(tx, adId);
  const earned = payment && ad?.status === 'completed' && (await accrueAd(ctx, tx, adId, now));
  if (!earned) return false;
  const refunded = await sumRefunds(tx, payment.id);
  const amountCents = refundableOf(payment.price, earned, refunded);
  if (amountCents === 0) {
    await recoverGoodwill(tx, payment, { earned, refunded }, ctx.now());
    return false;
  }
  const cause = ad.endedReason ?? 'delivered';
  await beginRefund(tx, payment, { amountCents, cause, earned, refunded }, ctx.now());
  return true;
}

/** Runs `work` for each ad of a list, each in its own transaction. Returns for how many it did something. */
async function each(
  ctx: Context,
  list: ReadBatch<number>,
  work: (tx: Tx, adId: number) => Promise<boolean>,
): Promise<number> {
  return await eachDue(ctx, 'a campaign could not be ended or refunded; trying again', list, (adId) =>
    ctx.db.transaction().execute((tx) => work(tx, adId)),
  );
}

import type { Context } from '#server/platform/context.ts';
import { allBatches } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { notify } from '#server/notify/notify.ts';
import { lockEndedAds, moveAd } from '../store.ts';

/**
 * Completes the per-day ads that have ended at `now`, and returns how many. The ad server stops serving an ad at its end
 * by itself, also before this sweep runs. Quota ads complete in the statement that counts their last event.
 */
export async function completeDueAds(ctx: Context, now = ctx.now()): Promise<number> {
  return await allBatches((limit) =>
    ctx.db.transaction().execute(async (tx) => {
      const ended = await lockEndedAds(tx, now, limit);
      for (const { id } of ended) {
        await moveAd(tx, id, 'complete', now, {});
        await tellBoth(ctx, tx, id);
      }
      return ended.length;
    }),
  );
}

/** The job that count_events queues when an ad reaches its goal: it notifies the advertiser and the publisher. */
export async function tellCompleted(ctx: Context, { adId }: { adId: number }): Promise<void> {
  await ctx.db.transaction().execute((tx) => tellBoth(ctx, tx, adId));
}

/** The advertiser's mail has figures of rooms above, so a job of its own makes it. */
async function tellBoth(ctx: Context, tx: Tx, adId: number): Promise<void> {
  await notify(ctx, tx, { kind: 'ad-completed', adId });
  await enqueue(tx, 'tell-ended', { adId });
}

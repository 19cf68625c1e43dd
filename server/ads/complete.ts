import type { Context } from '../context.ts';
import { allBatches } from '../db/batches.ts';
import { notify } from '../notifications/notify.ts';
import { lockEndedAds, moveAd } from './store.ts';

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
        await notify(ctx, tx, { kind: 'ad-completed', adId: id });
      }
      return ended.length;
    }),
  );
}

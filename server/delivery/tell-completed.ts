import type { Context } from '../context.ts';
import { notify } from '../notifications/notify.ts';

/** The job queued by the counting statement when an ad reaches its goal: both sides are told. */
export async function tellCompleted(ctx: Context, { adId }: { adId: number }): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await notify(ctx, tx, { kind: 'ad-completed', adId });
  });
}

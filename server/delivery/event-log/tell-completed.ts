import type { Context } from '#server/context.ts';
import { notify } from '#server/notifications/notify.ts';

/** The job queued by the counting statement when an ad reaches its goal: both sides are told. */
export async function tellCompleted(ctx: Context, { adId }: { adId: number }): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await notify(ctx, tx, { kind: 'ad-completed', adId });
  });
}

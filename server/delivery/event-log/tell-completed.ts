import type { Context } from '#server/context.ts';
import { notify } from '#server/notifications/notify.ts';

/** The job that count_events queues when an ad reaches its goal: it notifies the advertiser and the publisher. */
export async function tellCompleted(ctx: Context, { adId }: { adId: number }): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await notify(ctx, tx, { kind: 'ad-completed', adId });
  });
}

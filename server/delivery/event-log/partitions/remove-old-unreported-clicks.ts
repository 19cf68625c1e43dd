import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { deleteUnreportedClicks } from '../store.ts';

/** Part of the job 'remove-expired'. An event log may deliver yesterday's events late, so the job keeps two days. */
export async function removeOldUnreportedClicks(ctx: Context): Promise<void> {
  await deleteUnreportedClicks(ctx.db, utcDay(later(ctx.now(), -2 * DAY_MS)));
}

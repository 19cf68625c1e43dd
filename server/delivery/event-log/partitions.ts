import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/context.ts';
import { dropPartition, ensurePartition, partitionDays } from './store.ts';

const DAYS_AHEAD = 7;
/**
 * Older events are dropped, a whole day at a time. Counting needs a day of events for two days, because a token is
 * valid for one. The other days are kept to answer questions. The hourly figures are never dropped.
 */
const DAYS_KEPT = 35;

/** The scheduled job: creates the partitions of the coming days and drops old ones. Returns how many it dropped. */
export async function ensureEventPartitions(ctx: Context): Promise<number> {
  const now = ctx.realNow();
  const present = new Set(await partitionDays(ctx.db));
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
    const day = utcDay(later(now, ahead * DAY_MS));
    if (!present.has(day)) await ensurePartition(ctx.db, day);
  }
  const oldest = utcDay(later(now, -DAYS_KEPT * DAY_MS));
  const outdated = [...present].filter((day) => day < oldest);
  for (const day of outdated) await dropPartition(ctx.db, day);
  return outdated.length;
}

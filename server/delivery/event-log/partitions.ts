import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/context.ts';
import { dropPartition, ensurePartition, partitionDays } from './store.ts';

const DAYS_AHEAD = 7;
/**
 * Events older than this are dropped with their day. A token lives for one day, so a day is needed for two; the
 * rest is there to answer questions. The hours' figures stay for ever.
 */
const DAYS_KEPT = 35;

/** The timed job: makes the partitions of the coming days and drops the oldest. Returns how many were dropped. */
export async function ensureEventPartitions(ctx: Context): Promise<number> {
  const now = ctx.now();
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

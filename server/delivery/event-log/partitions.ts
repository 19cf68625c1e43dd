import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/context.ts';
import { dropOldPartition, ensurePartitions, isLockTimeout } from './store-partitions.ts';

/** Yesterday's events are still counted, and the days of the coming week are made before they begin. */
const DAYS = [-1, 0, 1, 2, 3, 4, 5, 6, 7];

/**
 * The scheduled job: creates the partitions of the coming days and drops those older than EVENTS_KEPT_DAYS. Returns how many it dropped. Neither
 * step makes readers or counting wait noticeably. An old partition that is still being read, for example by a backup, is
 * dropped by a later run. The hourly figures are never dropped. [RUN-25]
 */
export async function ensureEventPartitions(ctx: Context): Promise<number> {
  const now = ctx.realNow();
  await ensurePartitions(
    ctx.db,
    DAYS.map((ahead) => utcDay(later(now, ahead * DAY_MS))),
  );
  let dropped = 0;
  try {
    while ((await dropOldPartition(ctx.db, utcDay(now), ctx.config.eventsKeptDays)) !== null) dropped++;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    ctx.log.info('an old partition of ad_events is still being read; it is dropped later');
  }
  return dropped;
}

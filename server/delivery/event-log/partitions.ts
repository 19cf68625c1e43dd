import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/context.ts';
import { dropPartition, ensurePartition, findPartitions, inTurn, isLockTimeout } from './store-partitions.ts';

const DAYS_AHEAD = 7;
/**
 * Older events are dropped, a whole day at a time. Counting needs a day of events for two days, because a token is
 * valid for one. The other days are kept to answer questions. The hourly figures are never dropped.
 */
const DAYS_KEPT = 35;

/**
 * The scheduled job: creates the partitions of the coming days and drops old ones. Returns how many it dropped. Neither
 * step makes readers or counting wait. An old partition that is still being read, for example by a backup, is dropped by
 * a later run. [RUN-22]
 */
export async function ensureEventPartitions(ctx: Context): Promise<number> {
  const now = ctx.realNow();
  const oldest = utcDay(later(now, -DAYS_KEPT * DAY_MS));
  let dropped = 0;
  // If another instance runs this job now, it does all of the work.
  await inTurn(ctx.db, async (connection) => {
    const present = await findPartitions(connection);
    const days = new Set(present.map(({ day }) => day));
    for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
      const day = utcDay(later(now, ahead * DAY_MS));
      if (!days.has(day)) await ensurePartition(connection, day);
    }
    try {
      for (const partition of present.filter(({ day }) => day < oldest)) {
        await dropPartition(connection, partition);
        dropped++;
      }
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      ctx.log.info('an old partition of ad_events is still being read; it is dropped later');
    }
  });
  return dropped;
}

import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { EventLogUnusable } from '../event-log.ts';
import { countBlocks, dropPacked, findDaysToPack, isLockTimeout, packBlocks } from './store-partitions.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { chosenEventLog } from '../extension.ts';
import { oldestHanded } from '../sharing/handed-over.ts';

/** The blocks that one statement packs, 64 MiB or about 750,000 events, so that it ends in seconds. */
const BLOCKS_AT_ONCE = 8192;

/**
 * The hourly job: packs the days of events that are older than three days, and returns how many events it moved. It may be
 * stopped between any two statements and run twice at once. The partition of a day that is still being read, for example by a
 * backup, is dropped by a later run (docs/decisions/121-packed-events.md). [SCALE-86]
 */
export async function packEvents(ctx: Pick<Context, 'db' | 'config' | 'realNow' | 'log'>): Promise<number> {
  const today = utcDay(ctx.realNow());
  const days = await findDaysToPack(ctx.db, today);
  if (days.length === 0 || (await isCountingLate(ctx))) return 0;
  let packed = 0;
  for (const day of days) {
    const blocks = await countBlocks(ctx.db, day);
    for (let first = 0; first < blocks; first += BLOCKS_AT_ONCE)
      packed += await packBlocks(ctx.db, day, { today, first, next: first + BLOCKS_AT_ONCE });
    try {
      await dropPacked(ctx.db, day, today);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      ctx.log.info({ day }, 'a packed partition of ad_events is still being read; it is dropped later');
    }
  }
  return packed;
}

/**
 * Whether the event log has events of days that might be packed, or does not say. Counting would not find those that it
 * knows already among packed events. An event is received within a day of its decision.
 */
async function isCountingLate(ctx: Parameters<typeof packEvents>[0]): Promise<boolean> {
  try {
    const oldest = await oldestWaiting(ctx);
    return oldest !== null && oldest < later(ctx.realNow(), -DAY_MS);
  } catch (error) {
    if (!(error instanceof EventLogUnusable)) throw error;
    ctx.log.info({ err: error }, 'old events are packed when the event log says that none of them waits');
    return true;
  }
}

/**
 * When the oldest event that waits in the event log of all servers was received; null if none waits. Throws
 * EventLogUnusable if the log of an extension does not say.
 */
export async function oldestWaiting({ db, config }: Pick<Context, 'db' | 'config'>): Promise<Date | null> {
  const handed = await oldestHanded(db);
  const extension = await chosenEventLog(config);
  if (!extension) return handed;
  const elsewhere = await extension.oldestWaiting({ config, installation: await installationId(db) });
  if (handed === null || elsewhere === null) return handed ?? elsewhere;
  return handed < elsewhere ? handed : elsewhere;
}

import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import {
  dropDay,
  ensureMonths,
  ensurePartitions,
  findDays,
  findOldDays,
  isLockTimeout,
} from './store-partitions.ts';

/** Yesterday's events are still counted, and the days of the coming week are made before they begin. */
const DAYS = [-1, 0, 1, 2, 3, 4, 5, 6, 7];
/** The months of counted hours are made this long before they begin, because each try to make one may be in the way. */
const MONTHS_AHEAD = 2;

/**
 * The scheduled job: creates the partitions of the coming days and drops those older than EVENTS_KEPT_DAYS. Returns how many it dropped. Neither
 * step makes readers or counting wait noticeably. An old partition that is still being read, for example by a backup, is
 * dropped by a later run. The hourly figures are never dropped.
 */
export async function ensureEventPartitions(ctx: Context): Promise<number> {
  const now = ctx.realNow();
  await ensurePartitions(
    ctx.db,
    DAYS.map((ahead) => utcDay(later(now, ahead * DAY_MS))),
  );
  await ensureHourMonths(ctx);
  return (await dropOldDays(ctx)).length;
}

/** The months of delivery_hourly, by both clocks: a rehearsal counts at the time of its own. */
async function ensureHourMonths(ctx: Context): Promise<void> {
  try {
    for (const now of new Set([ctx.realNow(), ctx.now()])) await ensureMonths(ctx.db, monthsFrom(now));
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    ctx.log.info('the months of delivery_hourly are being read; the next one is made later');
  }
}

/** An hour of this month, and of the next ones. */
const monthsFrom = (now: Date): Date[] =>
  Array.from(
    { length: MONTHS_AHEAD + 1 },
    (_, ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)),
  );

/** Returns the days that it dropped. With ARCHIVE_TO, a day stays until it is archived and agrees. [SCALE-20] */
export async function dropOldDays(ctx: Context): Promise<string[]> {
  const { archiveTo, eventsKeptDays: daysKept } = ctx.config;
  const today = utcDay(ctx.realNow());
  const dropped: string[] = [];
  try {
    for (const day of await oldDays(ctx))
      if (await dropDay(ctx.db, day, { today, daysKept, needsArchive: archiveTo !== undefined }))
        dropped.push(day);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    ctx.log.info('an old partition of ad_events is still being read; it is dropped later');
  }
  return dropped;
}

/** The days of events that are older than EVENTS_KEPT_DAYS and still in the database, oldest first. */
export async function oldDays({
  db,
  config,
  realNow,
}: Pick<Context, 'db' | 'config' | 'realNow'>): Promise<string[]> {
  return await findOldDays(db, utcDay(realNow()), config.eventsKeptDays);
}

/** All days of which events are in the database. */
export async function presentDays({ db }: Pick<Context, 'db'>): Promise<string[]> {
  return await findDays(db);
}

import { hoursKeptSince } from '#domain/delivery/kept-hours.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { unknownTimezones } from '#server/platform/database/timezones.ts';
import { countHours, findFoldedUntil, foldHoursOf, noteFoldedUntil } from './store-fold.ts';

/** The rows that one statement reads, so that it ends in seconds. */
const ROWS_AT_ONCE = 100_000;
/** The days of one run. The job runs every minute, and a new day comes once a day. */
const MAX_DAYS = 20;

/**
 * The scheduled job: hours that are older than 60 days become one row a day, as far as nobody can tell the hours apart.
 * Returns how many rows went. Each statement may be repeated or stopped, and changes no figure of a day in the timezones of
 * the publisher, the advertiser and the marketplace (docs/decisions/117-days-of-hours.md). [SCALE-30]
 */
export async function foldHours(ctx: Pick<Context, 'db' | 'now'>): Promise<number> {
  const end = hoursKeptSince(ctx.now());
  let folded = 0;
  let day = await findFoldedUntil(ctx.db, end);
  if (day === null) {
    // Nothing is as old, so the next run need not look for the oldest hour.
    await noteFoldedUntil(ctx.db, end);
    return 0;
  }
  if (day >= end) return 0;
  const unknown = (await unknownTimezones(ctx.db)).map(({ timezone }) => timezone);
  for (let days = 0; day < end && days < MAX_DAYS; days++) {
    const slices = Math.max(1, Math.ceil((await countHours(ctx.db, day)) / ROWS_AT_ONCE));
    for (let slice = 0; slice < slices; slice++)
      folded += await foldHoursOf(ctx.db, day, { slice, slices, unknown });
    day = later(day, DAY_MS);
    await noteFoldedUntil(ctx.db, day);
  }
  return folded;
}

/** The weeks of the mail about an advertiser's campaigns: from Monday to Sunday, as 'YYYY-MM-DD'. */
import { type Days } from '../analytics/days.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, addDays, later, utcDay } from '../time.ts';

/**
 * How long after the end of Sunday in UTC the mail is sent: Sunday is over in every timezone after twelve hours, and the
 * counts of an hour are complete five minutes after it.
 */
export const WEEK_DUE_AFTER_MS = 12 * HOUR_MS + 5 * MINUTE_MS;

const MONDAY = 1;

/** The latest week whose mail is due. */
export function dueWeek(now: Date): Days {
  const settled = later(now, -WEEK_DUE_AFTER_MS);
  const daysSinceMonday = (settled.getUTCDay() - MONDAY + 7) % 7;
  const monday = utcDay(later(settled, -(daysSinceMonday + 7) * DAY_MS));
  return { from: monday, to: addDays(monday, 6) };
}

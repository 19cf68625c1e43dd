import { DAY_MS, later } from '../time.ts';

/**
 * A UTC month is finished this many days after its end. Then its figures never change again. assert_month_open.sql
 * repeats the number. [SIVT-05]
 */
export const MONTH_OPEN_DAYS = 10;

/** The start of the first UTC month that is not finished at `now`. */
export function openMonthsFrom(now: Date): Date {
  const before = later(now, -MONTH_OPEN_DAYS * DAY_MS);
  return new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1));
}

/** Whether adjustments of this hour are refused at `now`. */
export function isMonthFinished(hour: Date, now: Date): boolean {
  return hour < openMonthsFrom(now);
}

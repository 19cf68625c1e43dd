/**
 * A UTC month is finished this many days after its end. Then its figures never change again. assert_month_open.sql
 * repeats the number. [SIVT-05]
 */
export const MONTH_OPEN_DAYS = 10;

/** Whether adjustments of this hour are refused at `now`. */
export function isMonthFinished(hour: Date, now: Date): boolean {
  const end = Date.UTC(hour.getUTCFullYear(), hour.getUTCMonth() + 1, 1 + MONTH_OPEN_DAYS);
  return now.getTime() >= end;
}

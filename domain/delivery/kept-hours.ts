import { DAY_MS, later, utcDay } from '../time.ts';

/** The days before today, in UTC, whose figures are kept hour by hour. Older ones are kept by day. */
const HOURS_KEPT_DAYS = 60;

/** The hours that began before this instant may be folded to days. */
export function hoursKeptSince(now: Date): Date {
  return new Date(`${utcDay(later(now, -HOURS_KEPT_DAYS * DAY_MS))}T00:00:00Z`);
}

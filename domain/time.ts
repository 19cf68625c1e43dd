export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The instant `ms` milliseconds after `instant`. */
export function later(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}

/** Returns the start of the hour of `ms`, both in milliseconds since 1970. Figures over time use hours. */
export function hourOf(ms: number): number {
  return ms - (ms % HOUR_MS);
}

/** Returns the calendar day in UTC as 'YYYY-MM-DD', which is the accounting day. [OP-065] */
export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The day `count` days after a day in UTC, both as 'YYYY-MM-DD'. */
export function addDays(day: string, count: number): string {
  return utcDay(later(new Date(day), count * DAY_MS));
}

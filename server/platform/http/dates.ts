import { counted } from '#domain/format.ts';
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const INSTANT = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

// The server's pages and mails are in UTC: the server doesn't know the reader's timezone.

/** 'Nov 21, 2026' */
export function dayText(instant: Date): string {
  return DAY.format(instant);
}

/** 'Nov 21, 2026, 3:04 PM UTC' */
export function instantText(instant: Date): string {
  return `${INSTANT.format(instant)} UTC`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** '26 hours': a length of time in whole units, of which there are at least two where they are not seconds. */
export function spanText(seconds: number): string {
  const [unit, length] = UNITS.find((each) => seconds >= 2 * each[1]) ?? ['second', 1];
  const count = Math.floor(seconds / length);
  return counted(count, unit);
}

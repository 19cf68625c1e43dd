import { isTimezone } from '../timezones.ts';
import { MINUTE_MS } from '../time.ts';

/** Every timezone in use changes its offset at a quarter of an hour in UTC, so within a quarter the hour stays the same. */
const QUARTER_MS = 15 * MINUTE_MS;
/** More than there are names of timezones. Visitors can invent names, so the memory is bounded. */
const MAX_REMEMBERED = 1000;
const MAX_NAME = 64;
const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

let quarter = -1;
const known = new Map<string, number | null>();

/** The hour of the week in a timezone, from 0 for Monday 0:00 to 167; null if there is no such timezone. */
export function hourOfWeek(timezone: string, atMs: number): number | null {
  const now = Math.floor(atMs / QUARTER_MS);
  if (now !== quarter || known.size >= MAX_REMEMBERED) {
    known.clear();
    quarter = now;
  }
  let hour = known.get(timezone);
  if (hour === undefined) {
    hour = compute(timezone, atMs);
    if (timezone.length <= MAX_NAME) known.set(timezone, hour);
  }
  return hour;
}

// A formatter takes tens of kilobytes, so none is kept.
function compute(timezone: string, atMs: number): number | null {
  if (!isTimezone(timezone)) return null;
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(atMs);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return DAY_NAMES.indexOf(part('weekday')) * 24 + Number(part('hour'));
}

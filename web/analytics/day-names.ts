/** Names of calendar days, weeks and months. They are calendar dates, not instants, so they are formatted in UTC. */
import { type Step, endOfBucket, type Days } from '#domain/analytics/days.ts';
import { once } from '#domain/once.ts';
import { TIMEZONES } from '#domain/accounts/settings.ts';

// Pages without figures load this file, too, so formatters are made at their first use.
const named = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }));
const dayShort = named({ month: 'short', day: 'numeric' });
const dayLong = named({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
const range = named({ month: 'short', day: 'numeric', year: 'numeric' });
const monthShort = named({ month: 'short' });
const monthLong = named({ month: 'long', year: 'numeric' });

export const STEP_NAMES: Record<Step, string> = { day: 'Day', week: 'Week', month: 'Month' };

/** For the axis of a chart: 'Nov 21', 'Feb', and '2026' for a January. */
export function shortName(start: string, step: Step): string {
  const day = new Date(start);
  if (step !== 'month') return dayShort().format(day);
  return day.getUTCMonth() === 0 ? String(day.getUTCFullYear()) : monthShort().format(day);
}

/** The head of the column of days in a file. It says when they begin if that is not midnight. */
export function dayHead(step: Step, dayStart = '00:00'): string {
  return `${STEP_NAMES[step]} (first day${dayStart === '00:00' ? '' : `, from ${dayStart}`})`;
}

/** The full name: 'Sat, Nov 21, 2026', 'Nov 16 – 22, 2026', 'November 2026'. */
export function longName(start: string, step: Step): string {
  if (step === 'day') return dayLong().format(new Date(start));
  if (step === 'month') return monthLong().format(new Date(start));
  return rangeName({ from: start, to: endOfBucket(start, 'week') });
}

export function rangeName({ from, to }: Days): string {
  return range().formatRange(new Date(from), new Date(to));
}

/** 'UTC' or 'Pacific time'; a timezone that Settings does not offer keeps its IANA name. */
export function timezoneName(timezone: string): string {
  const [label] = Object.entries(TIMEZONES).find(([, name]) => name === timezone) ?? [timezone];
  return label === 'UTC' || label === timezone ? label : `${label} time`;
}

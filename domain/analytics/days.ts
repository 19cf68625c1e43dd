/** Ranges of days and their steps. Days are calendar days, 'YYYY-MM-DD', and both ends are included. */
import { DAY_MS, addDays } from '../time.ts';
import { dateFormat } from '../date-format.ts';

export const STEPS = ['day', 'week', 'month'] as const;
export type Step = (typeof STEPS)[number];

/** The most buckets in one series. */
export const MAX_BUCKETS = 400;

export type Days = { from: string; to: string };

export const PRESETS = ['7d', '30d', '90d', '12m', 'all'] as const;
export type Preset = (typeof PRESETS)[number];

/** The calendar day of an instant in a timezone (IANA name). */
export function dayIn(timezone: string, instant: Date): string {
  // The locale sv-SE formats dates as YYYY-MM-DD.
  return dateFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(instant);
}

/**
 * When the days of a report begin, as 'HH:MM'. Delivery is counted by the hour of UTC, so a day begins with the first such
 * hour after its midnight: at '00:30' in India. If that changes within the range, as on Lord Howe Island, this is the later
 * time (docs/decisions/117-days-of-hours.md).
 */
export function dayStart(timezone: string, { from, to }: Days): string {
  const clock = dateFormat('sv-SE', { timeZone: timezone, timeStyle: 'short' });
  // Half a year later, summer time has begun or ended.
  const days = [from, addDays(from, 182), to].filter((day) => day <= to);
  const minutes = days.map((day) => clock.format(new Date(day)).slice(3));
  return `00:${minutes.toSorted().at(-1)!}`;
}

/** Says when the days of a report begin if that is not midnight, and why. Null otherwise. */
export function dayStartText(timezone: string, start: string): string | null {
  return start === '00:00'
    ? null
    : `Delivery is counted by the hour of UTC, so days in reports begin at ${start} in ${timezone.replaceAll('_', ' ')}.`;
}

export function countDays({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** The range of the same number of days that ends before these. */
export function daysBefore({ from, to }: Days): Days {
  return { from: addDays(from, -countDays({ from, to })), to: addDays(from, -1) };
}

/** The range that ends with `today`. '12m' is this month and the eleven before; 'all' begins with `since`. */
export function daysOfPreset(preset: Preset, today: string, since: string): Days {
  switch (preset) {
    case '7d':
      return { from: addDays(today, -6), to: today };
    case '30d':
      return { from: addDays(today, -29), to: today };
    case '90d':
      return { from: addDays(today, -89), to: today };
    case '12m':
      return { from: firstOfMonthsAgo(today, 11), to: today };
    case 'all':
      return { from: since < today ? since : today, to: today };
  }
}

function firstOfMonthsAgo(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
}

/** The range that this step needs, as a phrase for its label, or null if the step suits these days. */
export function stepProblem(step: Step, days: Days): string | null {
  const count = countDays(days);
  switch (step) {
    case 'day':
      return count > MAX_BUCKETS ? `up to ${MAX_BUCKETS} days` : null;
    case 'week':
      if (count < 14) return '14 days or more';
      return count > (MAX_BUCKETS - 2) * 7 ? 'up to 7 years' : null;
    case 'month':
      return count < 60 ? '60 days or more' : null;
  }
}

/** The step with which a range makes a chart of about as many bars as fit on a screen. */
export function bestStep(days: Days): Step {
  const count = countDays(days);
  if (count <= 92) return 'day';
  return count <= 400 ? 'week' : 'month';
}

/** The last day of a bucket. */
export function endOfBucket(start: string, step: Step): string {
  switch (step) {
    case 'day':
      return start;
    case 'week':
      return addDays(start, 6);
    case 'month':
      return addDays(firstOfMonthsAgo(start, -1), -1);
  }
}

/** Which days figures are shown of, and in which steps. Days are calendar days, 'YYYY-MM-DD', both ends included. */
import { DAY_MS } from '../time.ts';
import { MAX_BUCKETS, type Step } from './contract.ts';

export type Days = { from: string; to: string };

export const PRESETS = ['7d', '30d', '90d', '12m', 'all'] as const;
export type Preset = (typeof PRESETS)[number];

/** The calendar day of an instant in a timezone (IANA name). */
export function dayIn(timezone: string, instant: Date): string {
  // Sweden writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(instant);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

export function countDays({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** Up to and with `today`. Twelve months are this one and the eleven before. `since` is the first day of all. */
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

/** Why a range cannot be shown in this step; null where it can. */
export function stepProblem(step: Step, days: Days): string | null {
  const count = countDays(days);
  switch (step) {
    case 'day':
      return count > MAX_BUCKETS ? `up to ${MAX_BUCKETS} days` : null;
    case 'week':
      if (count < 14) return 'from 14 days on';
      return count > (MAX_BUCKETS - 2) * 7 ? 'up to 7 years' : null;
    case 'month':
      return count < 60 ? 'from 60 days on' : null;
  }
}

/** The step in which a range reads best: not many more bars than fit on a screen. */
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

/**
 * The days of ads, as 'YYYY-MM-DD'. A day begins at 00:00 UTC. The database decides which days are closed
 * (server/platform/database/functions/ads/closed_days.sql); these are the rules that follow from it.
 */
import { DAY_MS, addDays } from '../time.ts';

/** An ad can start at most this many days from today. */
export const MAX_DAYS_AHEAD = 180;

/** A person on the waiting list can book the days that they are offered for this long before the next person can. */
export const OFFER_MS = DAY_MS;

/** An approved ad whose slots nobody else can book is paid within this time (server/platform/database/functions/ads/ad_pay_by.sql). */
export const PAY_WITHIN_DAYS = 3;
export const DAYS_FREED_REASON = `Payment was not made within ${PAY_WITHIN_DAYS} days, so the booked days are free again`;

/** The days that all unapproved ads of an advertiser hold in an ad zone together. The rest is held from the approval on. */
export const MAX_UNAPPROVED_DAYS = 14;

export const MAX_SLOTS = 100;

/** Why a day is closed to another ad by the day. */
export const CLOSED_REASONS = ['day_blocked', 'day_full', 'day_offered'] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];
export type ClosedDays = ReadonlyMap<string, ClosedReason>;

export const DAY_STATES = ['free', 'held', 'sold', 'blocked', 'past'] as const;
export type DayState = (typeof DAY_STATES)[number];

export const WAITING_STATES = ['waiting', 'offered', 'booked', 'expired'] as const;

/** Whether an ad can be booked to start on the day. */
export function isStartDay(day: string, today: string): boolean {
  return day >= today && day <= addDays(today, MAX_DAYS_AHEAD);
}

export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/**
 * The day on which a paid or booked ad will start; null if it has started, or starts when it is paid. Only a chosen start
 * is the beginning of a day. An ad that was paid a moment ago may have started after the `now` of an open page.
 */
export function startsOn({ startDate }: { startDate: string | null }, now: Date): string | null {
  if (startDate === null || new Date(startDate) <= now) return null;
  const day = startDate.slice(0, 10);
  return startOfDay(day).toISOString() === startDate ? day : null;
}

/** The days from `first` on and before `until`. */
export function daysBetween(first: string, until: string): string[] {
  const days: string[] = [];
  for (let day = first; day < until; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The first closed day of an ad that starts on `first` and has `duration` days; null if all of them are free. */
export function firstClosed(closed: ClosedDays, first: string, duration: number): string | null {
  return daysBetween(first, addDays(first, duration)).find((day) => closed.has(day)) ?? null;
}

/** The first day from `from` to `last` on which an ad of `duration` days can start; null if there is none. */
export function firstFree(
  closed: Pick<ClosedDays, 'has'>,
  { from, last, duration }: { from: string; last: string; duration: number },
): string | null {
  let free = 0;
  for (const day of daysBetween(from, addDays(last, duration))) {
    free = closed.has(day) ? 0 : free + 1;
    if (free >= duration) return addDays(day, 1 - duration);
  }
  return null;
}

/** How the calendar shows a day. A full day on which an ad is unpaid is `held`, because it may become free again. */
export function dayState(day: string, today: string, closed: ClosedDays, held: number): DayState {
  if (day < today) return 'past';
  const reason = closed.get(day);
  if (reason === undefined) return 'free';
  if (reason === 'day_blocked') return 'blocked';
  return reason === 'day_offered' || held > 0 ? 'held' : 'sold';
}

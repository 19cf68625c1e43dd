import { DAY_MS, HOUR_MS, SECOND_MS } from '../time.ts';

/** The clock of a per-day ad that runs, as server/ads/clock/clock.ts keeps it. */
export type RunningClock = {
  duration: number;
  startDate: Date;
  endDate: Date;
  /** When the current 24-hour day began. */
  dayBeganAt: Date;
  /** The start of the views of the current day, which is earlier than `dayBeganAt` after a pause. */
  countsFrom: Date;
  /** How many days in a row, up to now, were silent. */
  silentDays: number;
  /** Since when the ad is paused; null if it runs. */
  heldSince: Date | null;
};

/**
 * The seconds that a per-day ad has run at `at`, without pauses and silent days. `at` is now or at most minutes ago. A
 * day counts once it is known to be delivered, so that the result does not fall when a day turns out silent.
 * `isDelivered` says that of the day whose requests and views are those from `from` to `to`.
 */
export function deliveredSeconds(clock: RunningClock, at: Date, isDelivered: IsDelivered): number {
  const bought = clock.duration * DAY_MS;
  const ran = Math.min(bought, Math.max(0, runOf(clock, at, isDelivered).ranMs));
  return Math.floor(ran / SECOND_MS);
}

/** A stretch of delivered time, in milliseconds since 1970. */
export type Stretch = { from: number; to: number };

/**
 * The stretches of time in which a per-day ad was delivered up to `at`, the oldest first. The first one has no beginning,
 * because the clock keeps only the current day and the silent days before it.
 */
export function deliveredStretches(clock: RunningClock, at: Date, isDelivered: IsDelivered): Stretch[] {
  return runOf(clock, at, isDelivered).stretches;
}

type IsDelivered = (from: Date, to: Date) => boolean;

/** Times are milliseconds. A pause of the advertiser that has not ended lasts until Infinity. */
export type DayFacts = {
  counted: readonly { hour: number; units: number }[];
  requested: readonly number[];
  paused: readonly Stretch[];
};

/**
 * Says which days of a per-day ad are delivered, by its counted views by hour. By the hours with ad requests instead, if a day
 * needs no number of views, or if the advertiser had paused the ad on it. is_day_silent.sql judges ended days by the same
 * rule. [DEL-45, PAUS-202]
 */
export function daysDelivered(
  minDayViews: number | null,
  { counted, requested, paused }: DayFacts,
): IsDelivered {
  return (from, to) => {
    const isPaused = paused.some((pause) => pause.from < to.getTime() && pause.to > from.getTime());
    if (minDayViews === null || isPaused) {
      // Delivery is stored by the hour. An hour that only overlaps the day counts as part of it.
      return requested.some((hour) => hour > from.getTime() - HOUR_MS && hour < to.getTime());
    }
    const ended = counted.filter(
      ({ hour }) => hour > from.getTime() - HOUR_MS && hour <= to.getTime() - HOUR_MS,
    );
    return ended.reduce((sum, { units }) => sum + units, 0) >= minDayViews;
  };
}

function runOf(
  clock: RunningClock,
  at: Date,
  isDelivered: IsDelivered,
): { ranMs: number; stretches: Stretch[] } {
  const held = clock.heldSince?.getTime() ?? Infinity;
  const until = Math.min(at.getTime(), held);
  let end = clock.endDate.getTime();
  let began = clock.dayBeganAt.getTime();
  let { countsFrom } = clock;
  const isDayDelivered = () => isDelivered(countsFrom, new Date(began + DAY_MS));
  // Every past pause and silent day has moved the end, so the time that has run is the bought time less the time left.
  let ranMs = clock.duration * DAY_MS - (end - began);
  const earlier = { from: -Infinity, to: began - clock.silentDays * DAY_MS };
  if (until < began) {
    if (clock.silentDays > 0) return { ranMs, stretches: [earlier] };
    return { ranMs: ranMs - (began - until), stretches: [{ ...earlier, to: until }] };
  }
  const stretches = [earlier];
  // Days that are over, but that no job has judged yet. is_day_silent.sql judges by the same rule.
  for (; began + DAY_MS <= Math.min(until, end, held); began += DAY_MS) {
    if (isDayDelivered()) {
      ranMs += DAY_MS;
      stretches.push({ from: began, to: began + DAY_MS });
    } else end += DAY_MS;
    countsFrom = new Date(began + DAY_MS);
  }
  const stop = Math.min(until, end);
  // A day that the end cuts short is never judged, so all of it counts when it is over.
  if (stop >= end || isDayDelivered()) {
    ranMs += Math.max(0, stop - began);
    stretches.push({ from: began, to: Math.max(began, stop) });
  }
  return { ranMs, stretches };
}

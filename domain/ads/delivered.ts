import { DAY_MS, SECOND_MS } from '../time.ts';

/** The clock of a per-day ad that runs, as server/ads/clock.ts keeps it. */
export type RunningClock = {
  duration: number;
  startDate: Date;
  endDate: Date;
  /** When the current 24-hour day began. */
  dayBeganAt: Date;
  /** How many days in a row, up to now, were silent. */
  silentDays: number;
  /** Since when the ad is on hold; null if it runs. */
  heldSince: Date | null;
};

/**
 * The seconds that a per-day ad has run at `at`, without pauses and silent days. `at` is now or at most minutes ago. A
 * day counts from its first ad request on, so that the result does not fall when a day turns out silent. `wasRequested`
 * says whether the zone had an ad request on the 24-hour day that begins at its argument.
 */
export function deliveredSeconds(
  clock: RunningClock,
  at: Date,
  wasRequested: (dayBegan: Date) => boolean,
): number {
  const bought = clock.duration * DAY_MS;
  const until = Math.min(at.getTime(), clock.heldSince?.getTime() ?? Infinity);
  const ran = Math.min(bought, Math.max(0, ranMs(clock, until, wasRequested)));
  return Math.floor(ran / SECOND_MS);
}

function ranMs(clock: RunningClock, until: number, wasRequested: (dayBegan: Date) => boolean): number {
  let end = clock.endDate.getTime();
  let began = clock.dayBeganAt.getTime();
  // Every past hold and silent day has moved the end, so the time that has run is the bought time less the time left.
  let ran = clock.duration * DAY_MS - (end - began);
  if (until < began) return clock.silentDays > 0 ? ran : ran - (began - until);
  const held = clock.heldSince?.getTime() ?? Infinity;
  // Days that are over, but that no job has judged yet. endDays (server/ads/clock-store.ts) judges by the same rule.
  for (; began + DAY_MS <= Math.min(until, end, held); began += DAY_MS) {
    if (wasRequested(new Date(began))) ran += DAY_MS;
    else end += DAY_MS;
  }
  const stop = Math.min(until, end);
  // A day that the end cuts short is never judged, so all of it counts when it is over.
  return stop >= end || wasRequested(new Date(began)) ? ran + Math.max(0, stop - began) : ran;
}

/** The figures of a zone on one UTC day. */
export type ZoneDay = {
  /** 1 is yesterday. */
  daysAgo: number;
  /** Counted views. */
  views: number;
  /** Valid decisions that chose an ad, and those without an ad to choose. */
  served: number;
  empty: number;
};

/** The forecast uses this many days: four of each weekday. */
export const FORECAST_DAYS = 28;
/** The viewability to assume for a zone that has served fewer ads than MIN_SERVED. */
const USUAL_VIEWABILITY = 0.5;
const MIN_SERVED = 500;

/** Views expected per day for a zone without history, from the publisher's own figure of visitors. At least one. */
export function firstForecast(monthlyVisitors: number): number {
  return Math.max(1, monthlyVisitors / 30);
}

/**
 * Views expected today: the median of the same weekday in the last four weeks or, if fewer than two of these are known,
 * of all known days. A median ignores a single unusual day. Decisions without an ad bring no views, so they count by
 * the viewability of the zone's ads. The result is at least one, so that shares stay defined, or null without any known
 * day. [DEL-48]
 */
export function forecastToday(days: readonly ZoneDay[]): number | null {
  const first = Math.max(0, ...days.map(({ daysAgo }) => daysAgo));
  if (first === 0) return null;
  const sum = (field: 'views' | 'served') => days.reduce((total, day) => total + day[field], 0);
  const viewability =
    sum('served') < MIN_SERVED ? USUAL_VIEWABILITY : Math.min(1, sum('views') / sum('served'));
  // A day without a row, after the first day, had no visitors.
  const capacity = Array<number>(first).fill(0);
  for (const { daysAgo, views, empty } of days) capacity[daysAgo - 1] = views + empty * viewability;
  const weekday = capacity.filter((_, index) => (index + 1) % 7 === 0);
  return Math.max(1, median(weekday.length >= 2 ? weekday : capacity));
}

/**
 * The median of the counted views of the last four weeks, where a day without a row counts as 0. Only billed views
 * raise it, so that nobody can raise it without passing the caps. [IVT-04]
 */
export function measuredViewsPerDay(days: readonly ZoneDay[]): number {
  const views = Array<number>(FORECAST_DAYS).fill(0);
  for (const day of days) if (day.daysAgo <= FORECAST_DAYS) views[day.daysAgo - 1] = day.views;
  return median(views);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

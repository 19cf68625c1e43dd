/** What one UTC day brought a zone. */
export type ZoneDay = {
  /** 1 is yesterday. */
  daysAgo: number;
  /** Counted views. */
  views: number;
  /** Valid decisions that chose an ad, and those that had none to choose. */
  offered: number;
  empty: number;
};

/** A zone is judged by this many days: four of each weekday. */
export const FORECAST_DAYS = 28;
/** Of what is offered, the part that is viewed where a zone has not shown enough to say so itself. */
const USUAL_VIEWABILITY = 0.5;
const ENOUGH_OFFERED = 500;

/** Views expected per day where nothing is known yet: what the publisher says of the site's visitors. At least one. */
export function firstForecast(monthlyVisitors: number): number {
  return Math.max(1, monthlyVisitors / 30);
}

/**
 * Views expected today: the median of the same weekday in the last four weeks, and before there are two of them the
 * median of the days that are known. A median, so that one day in the news or one day without power moves nothing.
 * Without an ad nothing is viewed: such decisions count as far as the zone's ads are usually viewed. Never below one,
 * so that shares stay defined; null where nothing is known.
 */
export function forecastToday(days: readonly ZoneDay[]): number | null {
  const first = Math.max(0, ...days.map(({ daysAgo }) => daysAgo));
  if (first === 0) return null;
  const sum = (field: 'views' | 'offered') => days.reduce((total, day) => total + day[field], 0);
  const viewability =
    sum('offered') < ENOUGH_OFFERED ? USUAL_VIEWABILITY : Math.min(1, sum('views') / sum('offered'));
  // Days without a row, after the first one, are days without a reader.
  const capacity = Array<number>(first).fill(0);
  for (const { daysAgo, views, empty } of days) capacity[daysAgo - 1] = views + empty * viewability;
  const weekday = capacity.filter((_, index) => (index + 1) % 7 === 0);
  return Math.max(1, median(weekday.length >= 2 ? weekday : capacity));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

import type { Bucket, Side } from '#domain/analytics/contract.ts';
import { daysOfPreset } from '#domain/analytics/days.ts';
import { useSeries } from './api.ts';
import { useToday } from './use-range.ts';

/**
 * Returns a function that gives a metric's last 30 days: undefined while they are loading, empty if there is no history.
 * The report below the cards loads the same days at first, so this adds no request.
 */
export function useTrend(
  side: Side,
  timezone: string,
  hasHistory: boolean | undefined,
): (valueOf: (bucket: Bucket) => number) => number[] | undefined {
  const today = useToday(timezone);
  const days = daysOfPreset('30d', today, today);
  const { data } = useSeries(hasHistory ? { side, ...days, step: 'day' } : null);
  return (valueOf) => (hasHistory === false ? [] : data?.buckets.map(valueOf));
}

import { useSearchParams } from 'wouter';
import { dayIn, type Days } from '#domain/analytics/days.ts';
import { useNow } from '#web/ui/use-now.ts';
import { addDays } from '#domain/time.ts';

/** The periods in days, today included. */
export const PERIODS = [7, 30, 90, 365] as const;
const DEFAULT = 30;

/** The last days of the default period, where no other one can be chosen. */
export function useLastDays(timezone: string): Days {
  const today = dayIn(timezone, useNow());
  return { from: addDays(today, 1 - DEFAULT), to: today };
}

/**
 * The selected period, kept in the page's address. The range of the dashboard's report is not used, because its code would
 * load the chart, too.
 */
export function usePeriod(timezone: string): {
  period: number;
  days: Days;
  choose: (period: number) => void;
} {
  const [params, setParams] = useSearchParams();
  const today = dayIn(timezone, useNow());
  const period = PERIODS.find((each) => String(each) === params.get('days')) ?? DEFAULT;
  return {
    period,
    days: { from: addDays(today, 1 - period), to: today },
    choose: (chosen) =>
      setParams(chosen === DEFAULT ? {} : { days: String(chosen) }, {
        replace: true,
        state: window.history.state as unknown,
      }),
  };
}

import { useState } from 'react';
import type { Grouping, Side } from '#domain/analytics/contract.ts';
import { dayIn } from '#domain/analytics/days.ts';
import { useBreakdown, useSeries } from './api.ts';
import type { Metric } from './metrics.ts';
import { useRange } from './use-range.ts';

/** Only this campaign, zone or website is counted. */
export type Filter = { by: Grouping; publicId: string; name: string };

export type ReportOf = {
  side: Side;
  /** The reader's own (IANA name), whose days are shown. */
  timezone: string;
  /** The instant before which there can be nothing. */
  since: string;
  /** Whether there ever was anything to report; undefined while that is not known. */
  hasHistory: boolean | undefined;
};

/** Of a breakdown, in one page. */
const ROWS = 50;

/** Everything a report shows and can be asked for. */
export function useReport({ side, timezone, since, hasHistory }: ReportOf) {
  const [range, changeRange, today] = useRange(timezone, dayIn(timezone, new Date(since)));
  const [metric, setMetric] = useState<Metric>('impressions');
  const [by, setBy] = useState<Grouping>('campaign');
  const [filters, setFilters] = useState<Filter[]>([]);

  const { from, to, step } = range;
  const asked = {
    side,
    from,
    to,
    ...Object.fromEntries(filters.map(({ by, publicId }) => [by, publicId])),
  };
  const isAsked = hasHistory !== false;
  const series = useSeries(isAsked ? { ...asked, step } : null);
  const breakdown = useBreakdown(isAsked ? { ...asked, by, limit: ROWS } : null);

  return {
    side,
    today,
    /** What is asked of every figure. */
    asked: { ...asked, step },
    range,
    changeRange,
    metric,
    setMetric,
    by,
    setBy,
    filters,
    /** Takes the filter away where it is set already; each kind is there once. */
    toggleFilter: (filter: Filter) =>
      setFilters((before) => [
        ...before.filter(({ by }) => by !== filter.by),
        ...(before.some(({ publicId }) => publicId === filter.publicId) ? [] : [filter]),
      ]),
    series,
    breakdown,
  };
}

export type Report = ReturnType<typeof useReport>;

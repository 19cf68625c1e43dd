import { useState } from 'react';
import type { Grouping } from '#domain/analytics/groupings.ts';
import type { Side } from '#domain/analytics/contract.ts';
import { dayIn } from '#domain/analytics/days.ts';
import { useBreakdown, useSeries } from './api.ts';
import type { Metric } from './metrics.ts';
import { useRange } from './use-range.ts';

/** Limits the report to one campaign, ad zone or website. */
export type Filter = { by: Grouping; publicId: string; name: string };

export type ReportOf = {
  side: Side;
  /** The reader's timezone (IANA name); the report shows its calendar days. */
  timezone: string;
  /** The instant (ISO 8601) before which there can be no figures. */
  since: string;
  /** Whether there has ever been anything to report; undefined while that is loading. */
  hasHistory: boolean | undefined;
};

/** Rows of the breakdown per page. */
const PAGE_SIZE = 50;

/** The state and the data of a report. */
export function useReport({ side, timezone, since, hasHistory }: ReportOf) {
  const [range, changeRange, today] = useRange(timezone, dayIn(timezone, new Date(since)));
  const [metric, setMetric] = useState<Metric>('impressions');
  const [by, setBy] = useState<Grouping>('campaign');
  const [filters, setFilters] = useState<Filter[]>([]);

  const { from, to, step } = range;
  const query = {
    side,
    from,
    to,
    ...Object.fromEntries(filters.map(({ by, publicId }) => [by, publicId])),
  };
  const isEnabled = hasHistory !== false;
  const series = useSeries(isEnabled ? { ...query, step } : null);
  const breakdown = useBreakdown(isEnabled ? { ...query, by, limit: PAGE_SIZE } : null);

  return {
    side,
    today,
    /** The query that all figures of the report share. */
    query: { ...query, step },
    range,
    changeRange,
    metric,
    setMetric,
    by,
    setBy,
    filters,
    /** Removes the filter if it is set; otherwise sets it in place of any other filter of its kind. */
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

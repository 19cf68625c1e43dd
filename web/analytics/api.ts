import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  getActiveZones,
  getBreakdown,
  getCounting,
  getEarnings,
  getSeries,
  getSpending,
  listTransactions,
  listUnusualHours,
} from '#domain/analytics/contract.ts';
import type { Days } from '#domain/analytics/days.ts';
import type { Input } from '#domain/endpoint.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { read } from '#web/http/query.ts';

/*
 * All of these stay current by themselves (API-07 to API-09). `enabled` is false where there is no user, or one
 * whose page does not show the figure.
 */

export function useEarnings(enabled = true) {
  return useQuery({ ...read(getEarnings), ...livePolling(enabled) });
}

export function useSpending(enabled = true) {
  return useQuery({ ...read(getSpending), ...livePolling(enabled) });
}

export function useActiveZoneCount(enabled = true) {
  return useQuery({ ...read(getActiveZones), ...livePolling(enabled) });
}

export function useTransactions() {
  return usePagedList(listTransactions, { live: { hasUser: true } });
}

type SeriesQuery = Input<typeof getSeries>['query'];
export type CountingQuery = Input<typeof getCounting>['query'];
type BreakdownQuery = Input<typeof getBreakdown>['query'];

/** While other days are asked for, those before stay. Nothing is asked for without a query. */
export function useSeries(query: SeriesQuery | null) {
  return useQuery({
    ...read(getSeries, { query: query ?? NO_SERIES }),
    ...livePolling(query !== null),
    placeholderData: keepPreviousData,
  });
}

/** Asked for as long as it is looked at. */
export function useCounting(query: CountingQuery) {
  return useQuery({
    ...read(getCounting, { query }),
    ...livePolling(true),
    placeholderData: keepPreviousData,
  });
}

export function useUnusualHours(query: Input<typeof listUnusualHours>['query']) {
  return useQuery({ ...read(listUnusualHours, { query }), placeholderData: keepPreviousData });
}

export function useBreakdown(query: BreakdownQuery | null) {
  return usePagedList(
    getBreakdown,
    { live: { hasUser: query !== null }, keepPrevious: true },
    { query: query ?? NO_BREAKDOWN },
  );
}

/**
 * What each of one's own campaigns brought in complete days, which do not change and are asked for once. The page that
 * is read holds the hundred most seen; of a campaign beyond it nothing is known.
 */
export function useCampaignFigures(days: Days | null): (publicId: string) => Figures | undefined {
  const limit = 100;
  const query: BreakdownQuery = { ...(days ?? NO_DAYS), side: 'buyer', by: 'campaign', limit };
  const { data } = useQuery({ ...read(getBreakdown, { query }), enabled: days !== null });
  return (publicId) => {
    const row = data?.find((row) => row.publicId === publicId);
    // A campaign that is not among all of them had nothing in these days.
    return row ?? (data && data.length < limit ? { impressions: 0, clicks: 0 } : undefined);
  };
}

type Figures = { impressions: number; clicks: number };

// Never sent: keys of queries that wait for their days.
const NO_DAYS: Days = { from: '', to: '' };
const NO_SERIES: SeriesQuery = { ...NO_DAYS, side: 'buyer', step: 'day' };
const NO_BREAKDOWN: BreakdownQuery = { ...NO_DAYS, side: 'buyer', by: 'campaign' };

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { getBreakdown, getCounting, getSeries, listUnusualHours } from '#domain/analytics/contract.ts';
import type { Days } from '#domain/analytics/days.ts';
import { calls } from '#domain/calls.ts';
import type { Input } from '#domain/endpoint.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { read } from '#web/http/query.ts';

/*
 * These queries refresh themselves [API-07, API-08]. `enabled` is false without a user, and on pages that do
 * not show the figure.
 */

export function useEarnings(enabled = true) {
  return useQuery({ ...read(calls.getEarnings), ...livePolling(enabled) });
}

export function useSpending(enabled = true) {
  return useQuery({ ...read(calls.getSpending), ...livePolling(enabled) });
}

export function useActiveZoneCount(enabled = true) {
  return useQuery({ ...read(calls.getActiveZones), ...livePolling(enabled) });
}

export function useTransactions() {
  return usePagedList(calls.listTransactions, { live: { hasUser: true } });
}

type SeriesQuery = Input<typeof getSeries>['query'];
export type CountingQuery = Input<typeof getCounting>['query'];
type BreakdownQuery = Input<typeof getBreakdown>['query'];

/** Keeps the previous figures while those of another range load. A null query sends no request. */
export function useSeries(query: SeriesQuery | null) {
  return useQuery({
    ...read(calls.getSeries, { query: query ?? NO_SERIES }),
    ...livePolling(query !== null),
    placeholderData: keepPreviousData,
  });
}

export function useCounting(query: CountingQuery) {
  return useQuery({
    ...read(calls.getCounting, { query }),
    ...livePolling(true),
    placeholderData: keepPreviousData,
  });
}

export function useZoneResults(zone: string) {
  return useQuery({
    ...read(calls.getZoneResults, { query: { side: 'seller', zone } }),
    ...livePolling(true),
  });
}

export function useUnusualHours(query: Input<typeof listUnusualHours>['query']) {
  return useQuery({ ...read(calls.listUnusualHours, { query }), placeholderData: keepPreviousData });
}

/** The withdrawals of the days of a report. They are loaded once, because the job makes new ones only every hour. */
export function useWithdrawals({ side, from, to, campaign, zone, website }: CountingQuery) {
  const query = { side, from, to, campaign, zone, website };
  return usePagedList(calls.listWithdrawals, { keepPrevious: true }, { query });
}

export function useBreakdown(query: BreakdownQuery | null) {
  return usePagedList(
    calls.getBreakdown,
    { live: { hasUser: query !== null }, keepPrevious: true },
    { query: query ?? NO_BREAKDOWN },
  );
}

/** When one of the advertiser's own ads was viewed and clicked, and its conversions by day. */
export function useAdTimes(ref: string) {
  return useQuery({ ...read(calls.getAdTimes, { params: { ref } }), ...livePolling(true) });
}

// Placeholders for the keys of disabled queries. They are never sent.
const NO_DAYS: Days = { from: '', to: '' };
const NO_SERIES: SeriesQuery = { ...NO_DAYS, side: 'buyer', step: 'day' };
const NO_BREAKDOWN: BreakdownQuery = { ...NO_DAYS, side: 'buyer', by: 'campaign' };

import { useQuery } from '@tanstack/react-query';
import { getActiveZones, getEarnings, getSpending, listTransactions } from '#domain/analytics/contract.ts';
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

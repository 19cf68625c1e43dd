import { useQuery } from '@tanstack/react-query';
import { getActiveZones, getEarnings, getSpending } from '#domain/analytics/contract.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { read } from '#web/http/query.ts';

// `wanted` is whether the screen shows the figure to this role; what nobody sees is not asked for.

export function useEarnings(wanted = true) {
  return useQuery({ ...read(getEarnings), ...livePolling(wanted) });
}

export function useSpending(wanted = true) {
  return useQuery({ ...read(getSpending), ...livePolling(wanted) });
}

export function useActiveZones(wanted = true) {
  return useQuery({ ...read(getActiveZones), ...livePolling(wanted) });
}

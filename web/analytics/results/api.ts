import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Days } from '#domain/analytics/days.ts';
import { calls } from '#domain/analytics/publisher-calls.ts';
import { read, readAll } from '#web/http/query.ts';

/** All ad zones of the publisher, or one. Keeps the previous figures while those of other days load. */
export function useZoneYields({ from, to }: Days, zone?: string) {
  return useQuery({
    ...readAll(calls.listZoneYields, { query: { from, to, zone } }),
    placeholderData: keepPreviousData,
  });
}

export function useHoursWithoutTag({ from, to }: Days, zone: string) {
  return useQuery({
    ...read(calls.getHoursWithoutTag, { query: { from, to, zone } }),
    placeholderData: keepPreviousData,
  });
}

export function useAgents({ from, to }: Days) {
  return useQuery({
    ...read(calls.listAgents, { query: { from, to } }),
    placeholderData: keepPreviousData,
  });
}

export function useReturned() {
  return useQuery(read(calls.getReturned));
}

export function usePriceTrials(zone: string) {
  return useQuery(read(calls.listPriceTrials, { query: { zone } }));
}

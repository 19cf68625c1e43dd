import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { read } from '#web/http/query.ts';

/** The user's next steps, refreshed automatically: the first few, or as many as `limit` says. */
export function useWaiting(limit?: number) {
  return useQuery({
    ...read(calls.listWaiting, { query: { limit } }),
    ...livePolling(true),
    placeholderData: keepPreviousData,
  });
}

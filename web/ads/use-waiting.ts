import { useQuery } from '@tanstack/react-query';
import { listWaiting } from '#domain/ads/waiting.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { read } from '#web/http/query.ts';

/** The user's next steps, refreshed automatically. */
export function useWaiting() {
  return useQuery({ ...read(listWaiting), ...livePolling(true) });
}

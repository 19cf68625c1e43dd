import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { read } from '#web/http/query.ts';

/** Short, because the reader is waiting for a change on a page. A background tab does not refresh. */
const REFRESH_MS = 5000;

const live = { refetchInterval: REFRESH_MS, refetchIntervalInBackground: false, gcTime: 0 } as const;

/** Whether and why one of the advertiser's own ads is shown, by its public id. */
export function useAdShowing(publicId: string) {
  return useQuery({ ...read(calls.getAdShowing, { params: { ref: publicId } }), ...live });
}

/** The ads that one of the publisher's own ad zones shows, by the zone's public id. */
export function useZoneShowing(publicId: string) {
  return useQuery({ ...read(calls.getZoneShowing, { params: { ref: publicId } }), ...live });
}

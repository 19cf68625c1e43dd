import { useQuery } from '@tanstack/react-query';
import { getAdShowing, getZoneShowing } from '#domain/delivery/showing.ts';
import { read } from '#web/http/query.ts';

/** Somebody looks and waits for a change: on their page, at the publisher's. Nobody looks at a tab behind others. */
const ASKED_AGAIN_MS = 5000;

const live = { refetchInterval: ASKED_AGAIN_MS, refetchIntervalInBackground: false, gcTime: 0 } as const;

/** What the ad server does with one of one's own ads, by public id. */
export function useAdShowing(publicId: string) {
  return useQuery({ ...read(getAdShowing, { params: { ref: publicId } }), ...live });
}

/** What it does in one of one's own zones. */
export function useZoneShowing(publicId: string) {
  return useQuery({ ...read(getZoneShowing, { params: { ref: publicId } }), ...live });
}

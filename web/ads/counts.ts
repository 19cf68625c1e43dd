import { formatCount } from '#web/ui/format/format.ts';
import { useAdCounts, usePendingAds } from './api.ts';

/** Number of ads waiting for the publisher's approval; undefined while it is loading. */
export function usePendingAdCount(enabled = true): string | undefined {
  return usePendingAds(enabled).count;
}

/** Number of the advertiser's active ads; undefined while it is loading. */
export function useActiveAdCount(enabled = true): string | undefined {
  const counts = useAdCounts(enabled).data;
  return counts && formatCount(counts.active);
}

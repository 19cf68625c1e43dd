import type { Ad } from '#domain/ads/contract.ts';
import type { PagedList } from '#web/http/paged-list.ts';
import { useMyAds, usePendingAds } from './api.ts';

/** Number of ads waiting for the publisher's approval; undefined while it is loading. */
export function usePendingAdCount(enabled = true): string | undefined {
  return usePendingAds(enabled).count;
}

/** Number of the advertiser's active ads; undefined while it is loading. */
export function useActiveAdCount(enabled = true): string | undefined {
  return activeAdCount(useMyAds(enabled));
}

/** Number of active ads in the list, such as '7'; '7+' if the list has more pages. */
export function activeAdCount({ items, hasMore }: PagedList<Ad>): string | undefined {
  if (!items) return undefined;
  return `${items.filter((ad) => ad.status === 'active').length}${hasMore ? '+' : ''}`;
}

import type { Ad } from '#domain/ads/contract.ts';
import type { PagedList } from '#web/http/paged-list.ts';
import { useMyAds, usePendingAds } from './api.ts';

/** How many ads await one's approval; undefined while that is loading. */
export function usePendingAdCount(enabled = true): string | undefined {
  return usePendingAds(enabled).count;
}

/** How many of one's own ads run; undefined while that is loading. */
export function useActiveAdCount(enabled = true): string | undefined {
  return activeAdCount(useMyAds(enabled));
}

/** How many of the listed ads run; with '+' while the list is not complete. */
export function activeAdCount({ items, hasMore }: PagedList<Ad>): string | undefined {
  if (!items) return undefined;
  return `${items.filter((ad) => ad.status === 'active').length}${hasMore ? '+' : ''}`;
}

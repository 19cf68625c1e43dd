import { useInfiniteQuery } from '@tanstack/react-query';
import { listMyAds, listPendingAds } from '#domain/ads/contract.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { readPages, type PageOf } from '#web/http/query.ts';

/** How many ads await one's approval; undefined while loading. */
export function usePendingAdCount(wanted: boolean): string | undefined {
  const { data } = useInfiniteQuery({ ...readPages(listPendingAds), ...livePolling(wanted) });
  return data && countOf(data.pages, () => true);
}

/** How many of one's own ads are live; undefined while loading. */
export function useActiveAdCount(wanted: boolean): string | undefined {
  const { data } = useInfiniteQuery({ ...readPages(listMyAds), ...livePolling(wanted) });
  return data && countOf(data.pages, (ad) => ad.status === 'active');
}

/** '12', or '12+' when the server has further pages that were not counted. */
function countOf(pages: readonly PageOf<typeof listMyAds>[], counts: (ad: Ad) => boolean): string {
  const found = pages.flatMap((page) => page.items).filter(counts).length;
  return pages.at(-1)?.next ? `${found}+` : String(found);
}

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Reply } from '#domain/endpoint.ts';
import { livePolling } from './live-polling.ts';
import { readPages } from './query.ts';
import type { AnyEndpoint, InputArgs } from './request.ts';

type PagingOptions = {
  /** The list stays current by itself, while there is a user. Not given: it is read once. */
  live?: { hasUser: boolean };
  /** After a change of the input the former list stays until the new one is there. */
  keepPrevious?: boolean;
};

export type PagedList<Item> = {
  /** What has been loaded so far; undefined while nothing has. */
  items: Item[] | undefined;
  /** How many there are; '100+' while more are to be loaded. */
  count: string | undefined;
  hasMore: boolean;
  loadMore: () => void;
  isLoadingMore: boolean;
  /** Loads what is not there yet and gives the loaded list; throws when a page cannot be loaded. */
  loadAll: () => Promise<Item[]>;
  /** The items belong to the former input. */
  isOutdated: boolean;
  isError: boolean;
  retry: () => void;
};

type ItemOf<E> = Reply<E> extends readonly (infer Item)[] ? Item : never;

/** A list that the server cuts into pages, as one list that grows on demand. */
export function usePagedList<E extends AnyEndpoint>(
  endpoint: E,
  { live, keepPrevious }: PagingOptions,
  ...args: InputArgs<E>
): PagedList<ItemOf<E>> {
  const query = useInfiniteQuery({
    ...readPages(endpoint, ...args),
    ...(live && livePolling(live.hasUser)),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
  const itemsOf = (data: typeof query.data) => data?.pages.flatMap((page) => page.items as ItemOf<E>[]);
  const items = itemsOf(query.data);
  return {
    items,
    count: items && `${items.length}${query.hasNextPage ? '+' : ''}`,
    hasMore: query.hasNextPage,
    loadMore: () => void query.fetchNextPage(),
    isLoadingMore: query.isFetchingNextPage,
    loadAll: async () => {
      let loaded: Pick<typeof query, 'data' | 'error' | 'hasNextPage' | 'fetchNextPage'> = query;
      while (loaded.hasNextPage) {
        loaded = await loaded.fetchNextPage();
        if (loaded.error) throw loaded.error;
      }
      return itemsOf(loaded.data) ?? [];
    },
    isOutdated: query.isPlaceholderData,
    // What is on the screen stays there when a later reading fails.
    isError: query.isError && items === undefined,
    retry: () => void query.refetch(),
  };
}

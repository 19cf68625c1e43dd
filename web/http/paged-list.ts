import { useState } from 'react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Reply, Call } from '#domain/endpoint.ts';
import { livePolling } from './live-polling.ts';
import { addressOf, readPage, readPages } from './query.ts';
import type { InputArgs } from './request.ts';

type PagingOptions = {
  /** Reload the list every 10 s while a user is signed in. Without this the list is loaded once. */
  live?: { hasUser: boolean };
  /** After a change of the input, keep showing the previous list until the new one is loaded. */
  keepPrevious?: boolean;
};

export type PagedList<Item> = {
  /** The items loaded so far; undefined before the first page. */
  items: Item[] | undefined;
  /** The number of items, such as '100+' while more can be loaded. */
  count: string | undefined;
  hasMore: boolean;
  loadMore: () => void;
  isLoadingMore: boolean;
  /** Loads the remaining pages and returns the whole list. Throws when a page cannot be loaded. */
  loadAll: () => Promise<Item[]>;
  /** True while the items belong to the previous input. */
  isOutdated: boolean;
  isError: boolean;
  retry: () => void;
};

type ItemOf<E> = Reply<E> extends readonly (infer Item)[] ? Item : never;

/** Joins the pages of a server's list into one list that grows on demand. */
export function usePagedList<E>(
  endpoint: Call<E>,
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
    // If a later reload fails, keep showing the loaded items.
    isError: query.isError && items === undefined,
    retry: () => void query.refetch(),
  };
}

export type ShownPage<Item> = {
  /** The items of the page; undefined before the first one. */
  items: Item[] | undefined;
  /** From 1. */
  number: number;
  goBack: (() => void) | undefined;
  goOn: (() => void) | undefined;
  /** True while the items belong to the previous page or input. */
  isOutdated: boolean;
  isError: boolean;
  retry: () => void;
};

/** One page at a time of a server's list, reloaded every 10 s. Another input begins at its first page. */
export function useShownPage<E>(endpoint: Call<E>, ...args: InputArgs<E>): ShownPage<ItemOf<E>> {
  const first = addressOf(endpoint, ...args);
  const [way, setWay] = useState<readonly string[]>([first]);
  // The addresses from the first page to the shown one. An input that comes back begins at its first page, too.
  const isOfInput = way[0] === first;
  if (!isOfInput) setWay([first]);
  const addresses = isOfInput ? way : [first];
  const query = useQuery({
    ...readPage(endpoint, addresses.at(-1) ?? first),
    ...livePolling(true),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = query;
  const next = isPlaceholderData ? null : (data?.next ?? null);
  return {
    items: data?.items as ItemOf<E>[] | undefined,
    number: addresses.length,
    goBack: addresses.length > 1 ? () => setWay(addresses.slice(0, -1)) : undefined,
    goOn: next === null ? undefined : () => setWay([...addresses, next]),
    isOutdated: isPlaceholderData,
    isError: query.isError && data === undefined,
    retry: () => void query.refetch(),
  };
}

import { queryOptions, type QueryFunctionContext } from '@tanstack/react-query';
import type { Reply, Call } from '#domain/endpoint.ts';
import { fillPath, jsonOf, load, queryString, send, type InputArgs } from './request.ts';
import { RequestError } from './request-error.ts';

type KeyPart = string | Record<string, unknown>;

/** ['/api/websites', 'X', 'ad-zones', {limit: 5}] -> '/api/websites/X/ad-zones?limit=5'. [API-03] */
export function urlOf(key: readonly unknown[]): string {
  const path = key.filter((part) => typeof part !== 'object').map(String);
  const query = key.find((part) => typeof part === 'object') as Record<string, unknown> | undefined;
  return path.join('/') + queryString(query);
}

/** The default way in which a query loads its data. */
export function loadByKey({ queryKey }: Pick<QueryFunctionContext, 'queryKey'>): Promise<unknown> {
  return load(urlOf(queryKey));
}

/** Like `loadByKey`, but returns null for a 401 (signed out) instead of throwing. [API-04] */
export async function loadByKeyOrNull({
  queryKey,
}: Pick<QueryFunctionContext, 'queryKey'>): Promise<unknown> {
  try {
    return await load(urlOf(queryKey));
  } catch (error) {
    if (error instanceof RequestError && error.status === 401) return null;
    throw error;
  }
}

/** The key of a contract's GET call, split at its path parameters. */
export function keyOf<E>(endpoint: Call<E>, ...[input]: InputArgs<E>): readonly KeyPart[] {
  const { params, query }: { params?: Record<string, unknown>; query?: Record<string, unknown> } =
    input ?? {};
  const parts: KeyPart[] = [];
  for (const part of endpoint.path.split(/\/(?=:)|(?<=:[A-Za-z]+)\//)) {
    parts.push(part.startsWith(':') ? fillPath(part, params) : part);
  }
  return query ? [...parts, query] : parts;
}

/** Options for `useQuery`: the call's key and a loader that is typed with its reply. */
export function read<E>(endpoint: Call<E>, ...args: InputArgs<E>) {
  return queryOptions({
    queryKey: keyOf(endpoint, ...args),
    queryFn: async (context): Promise<Reply<E>> => (await loadByKey(context)) as Reply<E>,
  });
}

/** Like `read`, for a list in pages that is needed as a whole: loads one page after the other. */
export function readAll<E>(endpoint: Call<E>, ...args: InputArgs<E>) {
  return queryOptions({
    queryKey: keyOf(endpoint, ...args),
    queryFn: async ({ queryKey }): Promise<Reply<E>> => {
      const items: unknown[] = [];
      let url: string | null = urlOf(queryKey);
      while (url !== null) {
        const page: PageOf<E> = await loadPage<E>(url);
        items.push(...(page.items as unknown[]));
        url = page.next;
      }
      return items as Reply<E>;
    },
  });
}

export type PageOf<E> = { items: Reply<E>; next: string | null };

/**
 * Options for `useInfiniteQuery`: a list whose pages the server links by `Link: <…>; rel="next"` (RFC 8288).
 * `data.pages.flatMap((page) => page.items)` is the list loaded so far.
 */
export function readPages<E>(endpoint: Call<E>, ...args: InputArgs<E>) {
  const key = keyOf(endpoint, ...args);
  return {
    queryKey: [...key, 'pages'] as readonly unknown[],
    initialPageParam: urlOf(key),
    queryFn: ({ pageParam }: { pageParam: string }) => loadPage<E>(pageParam),
    getNextPageParam: (page: PageOf<E>) => page.next,
  };
}

/** The address of a contract's GET call. */
export function addressOf<E>(endpoint: Call<E>, ...args: InputArgs<E>): string {
  return urlOf(keyOf(endpoint, ...args));
}

/** Options for `useQuery`: the page of a list at this address, which `addressOf` or the page before has given. */
export function readPage<E>(endpoint: Call<E>, address: string) {
  return queryOptions({
    queryKey: [endpoint.path, 'page', address],
    queryFn: async (): Promise<PageOf<E>> => await loadPage<E>(address),
  });
}

async function loadPage<E>(url: string): Promise<PageOf<E>> {
  const answer = await send(url, { method: 'GET', body: undefined, loading: true });
  return { items: (await jsonOf(answer)) as Reply<E>, next: nextLink(answer.headers.get('Link'), url) };
}

/** The path and query of the `rel="next"` link, or null. */
export function nextLink(header: string | null, base: string): string | null {
  for (const link of header?.split(/,\s*(?=<)/) ?? []) {
    const [, target] = /^<([^>]*)>\s*;.*\brel="?next"?/.exec(link) ?? [];
    if (target === undefined) continue;
    // Ignore the origin, because behind a proxy the server may know itself by another name.
    const { pathname, search } = new URL(target, new URL(base, 'http://openslot.invalid'));
    return pathname + search;
  }
  return null;
}

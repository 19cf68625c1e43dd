import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { loadByKey } from './query.ts';
import { RequestError } from './request-error.ts';

// By default components hear of a change in a later task. In a microtask the button that sends is disabled before a
// second click can arrive (STATE-23).
notifyManager.setScheduler(queueMicrotask);

/** The specification's policy: never stale, no retry, no refetch on focus or reconnect, no polling (API-05). */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // ERR-10. A lost session was logged where it was found out.
      if (error instanceof RequestError && error.announced) return;
      console.error('Loading failed', query.queryKey, error);
    },
  }),
  defaultOptions: {
    queries: {
      queryFn: loadByKey,
      staleTime: Infinity,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchInterval: false,
      // Being offline is found out by asking, and then said.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

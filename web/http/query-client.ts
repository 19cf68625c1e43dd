import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { dismissFailures } from '#web/ui/toast-store.ts';
import { loadByKey } from './query.ts';
import { RequestError } from './request-error.ts';

// By default TanStack Query notifies components in a later task. With a microtask, a submit button is disabled before a
// second click can arrive. [STATE-23]
notifyManager.setScheduler(queueMicrotask);

/** The specification's policy: never stale, no retry, no refetch on focus or reconnect, no polling. [API-05] */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // `send` in request.ts has already logged a lost session. [ERR-10]
      if (error instanceof RequestError && error.announced) return;
      console.error('Loading failed', query.queryKey, error);
    },
  }),
  mutationCache: new MutationCache({ onSuccess: dismissFailures }),
  defaultOptions: {
    queries: {
      queryFn: loadByKey,
      staleTime: Infinity,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchInterval: false,
    },
    mutations: { retry: false },
    // By the default network mode, calls wait while the device is offline. The notice in web/app says so.
  },
});

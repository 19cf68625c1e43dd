const INTERVAL_MS = 10_000;

type PollingOptions = {
  enabled: boolean;
  refetchInterval: number | false;
  refetchIntervalInBackground: boolean;
  refetchOnMount: 'always';
  refetchOnWindowFocus: 'always';
  refetchOnReconnect: 'always';
};

/**
 * Query options for figures that stay current: load them every 10 s while a user is signed in and the tab is visible,
 * and immediately when it becomes visible again. The query client takes visibility for focus, so a window that only
 * loses or gains the keyboard focus changes nothing. [API-07, API-08]
 */
export function livePolling(hasUser: boolean): PollingOptions {
  return {
    enabled: hasUser,
    refetchInterval: hasUser ? INTERVAL_MS : false,
    refetchIntervalInBackground: false,
    // 'always', because with `staleTime: Infinity` the value `true` would never reload.
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    refetchOnMount: 'always',
  };
}

const INTERVAL_MS = 10_000;

type PollingOptions = {
  enabled: boolean;
  refetchInterval: number | false;
  refetchIntervalInBackground: boolean;
  refetchOnMount: 'always';
  refetchOnWindowFocus: 'always';
};

/**
 * Options of figures that stay current (API-07 to API-09): asked again every 10 s while a user exists and the tab can
 * be seen, and at once when it can be seen again. The query client's focus is the page's visibility, so a window that
 * merely loses the keyboard goes on, and one that gets it back asks nothing.
 */
export function livePolling(hasUser: boolean): PollingOptions {
  return {
    enabled: hasUser,
    refetchInterval: hasUser ? INTERVAL_MS : false,
    refetchIntervalInBackground: false,
    // 'always', because nothing here ever counts as stale.
    refetchOnWindowFocus: 'always',
    refetchOnMount: 'always',
  };
}

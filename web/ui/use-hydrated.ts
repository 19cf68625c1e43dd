import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * False while the page is the HTML of the build, to which React has not yet attached its events. Disable controls that
 * would do nothing, and those for which the browser has an action of its own, such as submitting a form to the server.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

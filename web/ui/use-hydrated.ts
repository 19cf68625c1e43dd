import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * False while the page is the HTML of the build, to which React has not yet attached its events. Disable what would do
 * nothing, or what the browser would do itself, such as submitting a form to the server.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

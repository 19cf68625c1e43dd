import { useSyncExternalStore } from 'react';

/** wouter dispatches the two in the middle. */
const EVENTS = ['hashchange', 'pushState', 'replaceState', 'popstate'] as const;

function onMove(listener: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, listener);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, listener);
  };
}

/** The part of the address after '#', such as the name of a setting or of a group. */
export function useHash(): string {
  return useSyncExternalStore(onMove, () => decodeURIComponent(window.location.hash.slice(1)));
}

import { useEffect, useSyncExternalStore } from 'react';

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

/** Leads to the field of a setting, in whatever group it is. */
export function showField(name: string): void {
  if (window.location.hash === `#${name}`) focusField(name);
  else window.location.hash = name;
}

/** Focuses the field of the setting that the address names. */
export function useFieldAt(hash: string, onArrive: () => void): void {
  useEffect(() => {
    if (!/^[A-Z_]+$/.test(hash)) return;
    onArrive();
    // The group of the setting is drawn first.
    const frame = requestAnimationFrame(() => focusField(hash));
    return () => cancelAnimationFrame(frame);
  }, [hash, onArrive]);
}

function focusField(name: string): void {
  const row = document.getElementById(name);
  row?.scrollIntoView({ block: 'center' });
  row
    ?.querySelector<HTMLElement>('input:not([type=color]), textarea, select, button')
    ?.focus({ preventScroll: true });
}

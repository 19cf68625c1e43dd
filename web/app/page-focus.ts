import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** Stop waiting for a page's heading after this time, because the user has moved on by then. */
const MAX_WAIT_MS = 10_000;

let hasPressedKey = false;
globalThis.addEventListener?.('keydown', () => (hasPressedKey = true), { once: true, capture: true });

/**
 * After a change of page this hook scrolls to the top and focuses the page's heading for keyboard and screen-reader
 * users. The heading may appear later, with the page's script or data. Until then the main element has the focus.
 * The focus moves before the browser paints the page, so that a key finds it there.
 */
export function usePageFocus(): void {
  const [path] = useLocation();
  const shownPath = useRef(path);

  useLayoutEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    window.scrollTo(0, 0);
    return focusHeading();
  }, [path]);
}

/** Returns a function that stops waiting for the heading. */
function focusHeading(): () => void {
  // An open dialog keeps the focus.
  if (isDialogOpen() || tryFocus()) return () => {};
  const waiting = document.querySelector<HTMLElement>('main');
  waiting?.focus({ preventScroll: true });

  const observer = new MutationObserver(() => {
    const { activeElement } = document;
    // The page itself or the user may have focused another element in the meantime.
    const isTaken = activeElement && activeElement !== document.body && activeElement.tagName !== 'MAIN';
    if (isTaken || isDialogOpen() || tryFocus()) stop();
  });
  const timer = setTimeout(stop, MAX_WAIT_MS);
  observer.observe(document.body, { childList: true, subtree: true });

  function stop() {
    observer.disconnect();
    clearTimeout(timer);
  }
  return stop;
}

function tryFocus(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  // Before any input, browsers draw the focus ring. It looks like a fault to a reader who was sent to sign in.
  heading?.focus({ preventScroll: true, ...(!hasPressedKey && { focusVisible: false }) });
  return heading !== null;
}

function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null;
}

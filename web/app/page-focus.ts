import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** How long a page may take to bring its heading; after that the reader has moved on. */
const PATIENCE_MS = 10_000;

/**
 * A change of page begins at its top, for the eye, and at its heading, for keyboard and screen reader (A11Y-08).
 * The heading may come later, with the page's script or data: until then the focus waits on the content.
 */
export function usePageFocus(): void {
  const [path] = useLocation();
  const shownPath = useRef(path);

  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    window.scrollTo(0, 0);
    return focusHeading();
  }, [path]);
}

/** Returns what gives the search up. */
function focusHeading(): () => void {
  // A dialog that is open already keeps the focus.
  if (isDialogOpen() || take()) return () => {};
  const waiting = document.querySelector<HTMLElement>('main');
  waiting?.focus({ preventScroll: true });

  const observer = new MutationObserver(() => {
    const { activeElement } = document;
    // Somebody was quicker: the page itself, or the reader.
    const isTaken = activeElement && activeElement !== document.body && activeElement.tagName !== 'MAIN';
    if (isTaken || isDialogOpen() || take()) stop();
  });
  const timer = setTimeout(stop, PATIENCE_MS);
  observer.observe(document.body, { childList: true, subtree: true });

  function stop() {
    observer.disconnect();
    clearTimeout(timer);
  }
  return stop;
}

function take(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null;
}

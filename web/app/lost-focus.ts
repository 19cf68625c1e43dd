import { useEffect } from 'react';

/**
 * When the focused element disappears, such as the entry of an ad that was just approved, the browser drops the focus
 * and a keyboard user would start again at the top of the page. This hook moves the focus to the nearest ancestor that
 * has a tabindex: a section, or the page's content.
 */
export function useLostFocus(): void {
  useEffect(() => {
    let ancestors: readonly Element[] = [];

    function remember({ target }: FocusEvent) {
      const found: Element[] = [];
      for (let at = target instanceof Element ? target : null; at; at = at.parentElement) found.push(at);
      ancestors = found;
    }
    function recover() {
      const [lost] = ancestors;
      if (!lost || lost.isConnected || document.activeElement !== document.body) return;
      const next = ancestors.find((element) => element.isConnected && element.hasAttribute('tabindex'));
      ancestors = [];
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    }

    const observer = new MutationObserver(recover);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}

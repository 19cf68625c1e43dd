import { useEffect } from 'react';

/**
 * When what has the focus goes away, such as the entry of an ad that was just approved, the browser gives the focus
 * to nobody, and the keyboard would begin at the top. It goes to the nearest thing around it that can take it: a
 * section made for that, or the page's content.
 */
export function useLostFocus(): void {
  useEffect(() => {
    let around: readonly Element[] = [];

    function remember({ target }: FocusEvent) {
      const found: Element[] = [];
      for (let at = target instanceof Element ? target : null; at; at = at.parentElement) found.push(at);
      around = found;
    }
    function recover() {
      const [lost] = around;
      if (!lost || lost.isConnected || document.activeElement !== document.body) return;
      const next = around.find((element) => element.isConnected && element.hasAttribute('tabindex'));
      around = [];
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

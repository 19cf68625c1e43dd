import { useEffect, useEffectEvent, useId, useRef } from 'react';

/** The screens on which people go back by a key or gesture of the device, and a dialog fills the screen. */
const PHONE = '(max-width: 767px)';

/**
 * Lets a phone's Back close a dialog or panel, which otherwise leaves the page. An open layer has an entry of its own in
 * the browser's history, with the address of the page. The entry goes with the layer, unless a new page follows it.
 */
export function useBack(open: boolean, close: (() => void) | undefined): void {
  const id = useId();
  const onBack = useEffectEvent(() => close?.());
  const isShown = useRef(false);
  const hasEntry = open && close !== undefined;

  useEffect(() => {
    if (!hasEntry || !window.matchMedia(PHONE).matches) return;
    const enter = () =>
      window.history.pushState({ ...(window.history.state as object | null), layer: id }, '');
    const isHere = () => (window.history.state as { layer?: string } | null)?.layer === id;
    const onPopState = () => {
      // A layer above this one was closed.
      if (isHere()) return;
      // A dialog with typed text asks first and stays, so that the next Back is for it, too.
      enter();
      onBack();
    };
    isShown.current = true;
    if (!isHere()) enter();
    window.addEventListener('popstate', onPopState);
    return () => {
      window.removeEventListener('popstate', onPopState);
      isShown.current = false;
      // Later, because strict mode runs this effect twice, and the browser goes back only after the second run.
      queueMicrotask(() => {
        if (!isShown.current && isHere()) window.history.back();
      });
    };
  }, [hasEntry, id]);
}

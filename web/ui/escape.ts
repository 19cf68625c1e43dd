import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

type Layer = {
  ref: RefObject<HTMLDivElement | null>;
  onEscapeKeyDown: (event: Event) => void;
};

/**
 * Escape for what stands over the page: the uppermost dialog or menu closes. Of all layers Radix asks the newest one
 * only, and a toast that came up in the meantime is one: the key would close the toast. So layers listen themselves,
 * and Radix's own way is shut. Without `close` Escape does nothing. To be spread on the layer's content.
 */
export function useEscape(open: boolean, close: (() => void) | undefined): Layer {
  const ref = useRef<HTMLDivElement>(null);

  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isInToasts(event.target)) return;
    const uppermost = [...document.querySelectorAll('[role=dialog], [role=menu]')].at(-1);
    if (uppermost && uppermost === ref.current) close?.();
  });

  useEffect(() => {
    if (!open) return;
    const onKeyDown = (event: KeyboardEvent) => listen(event);
    // On the document, because the focus may have been lost to it: a button that waits is disabled.
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);

  return { ref, onEscapeKeyDown: (event) => event.preventDefault() };
}

/** Whether somebody is busy with the toasts, whose key Escape is then. */
export function isInToasts(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toasts]') !== null;
}

import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

type Layer = {
  ref: RefObject<HTMLDivElement | null>;
  onEscapeKeyDown: (event: Event) => void;
};

/**
 * Lets Escape close the uppermost dialog or menu. Radix passes the key to the newest layer only, which may be a toast
 * that appeared in the meantime. So each layer listens itself, and Radix's own handling is turned off. Without `close`
 * Escape does nothing. Spread the result on the layer's content.
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
    // Listen on the document, because a busy button is disabled and loses the focus.
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);

  return { ref, onEscapeKeyDown: (event) => event.preventDefault() };
}

/** True if the event's target is in the toasts, which then handle Escape themselves. */
export function isInToasts(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toasts]') !== null;
}

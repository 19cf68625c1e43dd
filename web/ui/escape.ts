import type { KeyboardEvent } from 'react';

/**
 * Escape for what stands over the page. Of all layers Radix asks the newest one only, and a toast that came up in
 * the meantime is one: the key would close the toast. So each layer listens itself, where the focus is, and Radix's
 * own way is shut. Without `close` Escape does nothing.
 */
export function escapeCloses(close: (() => void) | undefined) {
  return {
    onEscapeKeyDown: (event: Event) => event.preventDefault(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // A dialog over this one is its child to React, though not to the page.
      event.stopPropagation();
      close?.();
    },
  };
}

import { useEffect, useState, type ComponentType } from 'react';
import { onToastsChange, toasts } from '#web/ui/toast-store.ts';

const FIRST_USE = ['pointerdown', 'keydown'] as const;

/**
 * The toaster, whose code is loaded when the visitor first presses something: what they do may end in a toast, also in one
 * that says that the network is down. Toasts that come earlier wait in their store until it is loaded. If the network is
 * down at that moment, the next toast tries again.
 */
export function LateToaster() {
  const [Toaster, setToaster] = useState<ComponentType>();
  useEffect(() => {
    const loadOnce = async () => {
      const module = await import('#web/ui/toaster.tsx').catch(() => null);
      if (module) setToaster(() => module.Toaster);
    };
    const load = () => void loadOnce();
    if (toasts().length > 0) load();
    for (const use of FIRST_USE) window.addEventListener(use, load, { once: true, capture: true });
    const forget = onToastsChange(load);
    return () => {
      forget();
      for (const use of FIRST_USE) window.removeEventListener(use, load, { capture: true });
    };
  }, []);
  return Toaster ? <Toaster /> : null;
}

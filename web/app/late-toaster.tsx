import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import { onToastsChange, toasts } from '#web/ui/toast-store.ts';

/**
 * The toaster, whose code is loaded after the page is on the screen. Toasts that come earlier wait in their store. If the
 * network is down at that moment, the next toast tries again.
 */
export function LateToaster() {
  const [Toaster, setToaster] = useState<ComponentType>();
  const items = useSyncExternalStore(onToastsChange, toasts, toasts);
  useEffect(() => {
    if (Toaster) return;
    import('#web/ui/toaster.tsx').then(
      (module) => setToaster(() => module.Toaster),
      () => {},
    );
  }, [Toaster, items]);
  return Toaster ? <Toaster /> : null;
}

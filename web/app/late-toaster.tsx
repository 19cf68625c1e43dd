import { useEffect, useState, type ComponentType } from 'react';
import { onToastsChange } from '#web/ui/toast-store.ts';

/**
 * The toaster, whose code is loaded after the page is on the screen. Toasts that come earlier wait in their store. If the
 * network is down at that moment, the next toast tries again.
 */
export function LateToaster() {
  const [Toaster, setToaster] = useState<ComponentType>();
  useEffect(() => {
    const loadOnce = async () => {
      const module = await import('#web/ui/toaster.tsx').catch(() => null);
      if (module) setToaster(() => module.Toaster);
    };
    void loadOnce();
    return onToastsChange(() => void loadOnce());
  }, []);
  return Toaster ? <Toaster /> : null;
}

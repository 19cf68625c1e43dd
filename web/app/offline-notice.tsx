import { useSyncExternalStore } from 'react';
import { onlineManager } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { queryClient } from '#web/http/query-client.ts';
import { formatTime } from '#web/ui/format/format.ts';

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);
const isOnline = () => onlineManager.isOnline();

/**
 * One line at the bottom of every page while the device is offline. Calls wait meanwhile, and go on by themselves when
 * the network is back (see web/http/query-client.ts).
 */
export function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, isOnline, () => true);
  const loadedAt = online ? null : oldestShown();
  return (
    <div role="status" className="sticky bottom-0 z-60">
      {!online && (
        <p className="flex items-start justify-center gap-2 bg-ink px-4 py-2 text-sm text-canvas">
          <WifiOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>
            You’re offline.{' '}
            {loadedAt !== null && `Figures are from ${formatTime(new Date(loadedAt).toISOString())}. `}
            We keep what you typed and continue when the connection is back.
          </span>
        </p>
      )}
    </div>
  );
}

/** When the oldest of the figures on the page was loaded; null if none refreshes itself. */
function oldestShown(): number | null {
  const shown = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(({ observers, state }) => state.data && observers.some(({ options }) => options.refetchInterval));
  return shown.length === 0 ? null : Math.min(...shown.map(({ state }) => state.dataUpdatedAt));
}

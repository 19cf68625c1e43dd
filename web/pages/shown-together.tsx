import { useEffect, useState, type ReactNode } from 'react';
import { queryClient } from '#web/http/query-client.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';

/**
 * Shows its sections when all of them have been read, so that none of them pushes the next one down. A section that
 * cannot be read says so itself.
 */
export function ShownTogether({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const look = () => {
      if (queryClient.isFetching() === 0) setShown(true);
    };
    const forget = queryClient.getQueryCache().subscribe(look);
    // Everything may be known already. The sections begin to read in their own effects, which run before this one.
    const timer = setTimeout(look);
    return () => {
      forget();
      clearTimeout(timer);
    };
  }, []);
  return (
    <>
      {!isShown && <Skeleton className="h-dvh rounded-card" />}
      <div hidden={!isShown} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {children}
      </div>
    </>
  );
}

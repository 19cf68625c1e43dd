import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { LOOKING_MS, watchZone, type ZoneWatch } from '#domain/delivery/zone-watch.ts';
import { call } from '#web/http/request.ts';

const LOOK_MS = 1000;

/**
 * Watches one's own zone for as long as it is on screen, and stops by itself after ten minutes. Also from behind the tab
 * in which the publisher opens their page.
 */
export function useZoneWatch(publicId: string): {
  zoneWatch: ZoneWatch | undefined;
  isError: boolean;
  retry: () => void;
  isOver: boolean;
  goOn: () => void;
} {
  const [isOver, setIsOver] = useState(false);
  const from = useRef<string>(null);
  const { data, isError, refetch } = useQuery({
    queryKey: ['zone-watch', publicId],
    queryFn: async () => {
      const seen = await call(watchZone, { params: { ref: publicId }, body: { from: from.current } });
      from.current = seen.from;
      return seen;
    },
    refetchInterval: isOver ? false : LOOK_MS,
    refetchIntervalInBackground: true,
    gcTime: 0,
  });

  useEffect(() => {
    if (isOver) return;
    const timer = setTimeout(() => setIsOver(true), LOOKING_MS);
    return () => clearTimeout(timer);
  }, [isOver]);

  return {
    zoneWatch: data,
    isError,
    retry: () => void refetch(),
    isOver,
    goOn: () => {
      setIsOver(false);
      void refetch();
    },
  };
}

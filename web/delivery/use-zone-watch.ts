import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { LOOKING_MS } from '#domain/delivery/zone-watch.ts';
import type { ZoneWatch } from '#domain/delivery/zone-watch-contract.ts';
import { call } from '#web/http/request.ts';

const POLL_MS = 1000;

/**
 * Polls for the events of one of the publisher's own ad zones while the test is on screen, and stops after ten minutes.
 * A background tab keeps polling, because the publisher opens their own page in another tab.
 */
export function useZoneWatch(publicId: string): {
  zoneWatch: ZoneWatch | undefined;
  isError: boolean;
  retry: () => void;
  isOver: boolean;
  resume: () => void;
} {
  const [isOver, setIsOver] = useState(false);
  const from = useRef<string>(null);
  const { data, isError, refetch } = useQuery({
    queryKey: ['zone-watch', publicId],
    queryFn: async () => {
      const reply = await call(calls.watchZone, { params: { ref: publicId }, body: { from: from.current } });
      from.current = reply.from;
      return reply;
    },
    refetchInterval: isOver ? false : POLL_MS,
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
    resume: () => {
      setIsOver(false);
      void refetch();
    },
  };
}

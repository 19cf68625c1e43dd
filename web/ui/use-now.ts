import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The current time, updated every minute, so that a page that stays open moves on to the next day. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

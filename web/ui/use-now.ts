import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The present instant, to the minute: a page that stays open sees the next day come. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

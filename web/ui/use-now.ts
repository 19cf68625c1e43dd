import { useEffect, useState } from 'react';
import { MINUTE_MS } from '#domain/time.ts';

/** In development, the marketplace's clock may be ahead of the browser's (docs/decisions/031-two-clocks.md). */
let aheadMs = 0;
const changed = new EventTarget();

/** Applies the `X-Clock-Ahead` header of an answer, which is in seconds. */
export function setClockAhead(seconds: number): void {
  if (!(seconds * 1000 > aheadMs)) return;
  aheadMs = seconds * 1000;
  changed.dispatchEvent(new Event('change'));
}

const marketplaceTime = () => new Date(Date.now() + aheadMs);

/** The marketplace's time, updated every minute, so that a page that stays open moves on to the next day. */
export function useNow(): Date {
  const [now, setNow] = useState(marketplaceTime);
  useEffect(() => {
    const update = () => setNow(marketplaceTime());
    const timer = setInterval(update, MINUTE_MS);
    changed.addEventListener('change', update);
    return () => {
      clearInterval(timer);
      changed.removeEventListener('change', update);
    };
  }, []);
  return now;
}

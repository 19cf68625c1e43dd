import { useEffect, useState, type RefObject } from 'react';
import { VIEWABLE_MS, VIEWABLE_SHARE } from '#domain/delivery/wire.ts';

export type Receipt = {
  /** How long the ad request took, or null before its answer. */
  answeredAfterMs: number | null;
  /** At least half of the ad is in view, in the front tab. */
  isInView: boolean;
  /** It was in view for one second without a break. */
  wasViewable: boolean;
  /** The server's answers to the reports of the view, in order. */
  verdicts: readonly string[];
  /** Sends the same report once more. Null before the tag has sent it. */
  repeat: (() => void) | null;
};

const ADS = '/api/serve/ads?n&z=demo~test';
const VIEW = '/api/serve/view/';

/**
 * Follows one ad from its request to the server's verdict, by what the browser itself measured: the requests of the tag
 * (Resource Timing), the verdict in their answers (Server Timing), and the part of the box that is on screen.
 */
export function useReceipt(box: RefObject<Element | null>): Receipt {
  const { answeredAfterMs, views } = useTagRequests();
  const { isInView, wasViewable } = useViewable(box, answeredAfterMs !== null);
  const [first] = views;
  return {
    answeredAfterMs,
    isInView,
    wasViewable: wasViewable || first !== undefined,
    verdicts: views.map(({ verdict }) => verdict),
    repeat: first ? () => void report(first.url) : null,
  };
}

/** Reports a view as the tag does. If the call fails, the receipt does not change. */
async function report(url: string): Promise<void> {
  await fetch(url, { method: 'POST', credentials: 'omit' }).catch(() => {});
}

type View = { url: string; verdict: string };

function useTagRequests(): { answeredAfterMs: number | null; views: readonly View[] } {
  const [answeredAfterMs, setAnswered] = useState<number | null>(null);
  const [views, setViews] = useState<readonly View[]>([]);
  useEffect(() => {
    const openedAt = performance.now();
    const observer = new PerformanceObserver((list) => {
      // Ignore entries of an earlier visit to this page, because they belong to another ad.
      const later = list.getEntries().filter(({ startTime }) => startTime >= openedAt);
      for (const entry of later as PerformanceResourceTiming[]) {
        if (entry.name.includes(ADS)) setAnswered(entry.duration);
        if (!entry.name.includes(VIEW) || entry.responseStatus !== 204) continue;
        // Server Timing exists only over HTTPS and on localhost.
        const verdict = entry.serverTiming?.find(({ name }) => name === 'verdict')?.description;
        if (verdict === 'rendered') continue;
        setViews((before) => [
          ...before,
          { url: entry.name, verdict: verdict ?? (before.length === 0 ? 'counted' : 'duplicate') },
        ]);
      }
    });
    observer.observe({ type: 'resource' });
    return () => observer.disconnect();
  }, []);
  return { answeredAfterMs, views };
}

/** The rule of the tag (tag/seen.ts): half of the pixels, in the front tab, for one second without a break. */
function useViewable(
  box: RefObject<Element | null>,
  isRendered: boolean,
): { isInView: boolean; wasViewable: boolean } {
  const [isInView, setInView] = useState(false);
  const [wasViewable, setViewable] = useState(false);
  useEffect(() => {
    if (!isRendered || !box.current) return;
    let isOnScreen = false;
    const update = () => setInView(isOnScreen && !document.hidden);
    const observer = new IntersectionObserver(
      (entries) => {
        isOnScreen = (entries.at(-1)?.intersectionRatio ?? 0) >= VIEWABLE_SHARE;
        update();
      },
      { threshold: [0, VIEWABLE_SHARE, 1] },
    );
    observer.observe(box.current);
    document.addEventListener('visibilitychange', update);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', update);
    };
  }, [box, isRendered]);
  useEffect(() => {
    if (!isInView) return;
    const timer = setTimeout(() => setViewable(true), VIEWABLE_MS);
    return () => clearTimeout(timer);
  }, [isInView]);
  return { isInView, wasViewable };
}

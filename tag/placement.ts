/**
 * The module that the tag loads on few of the views of a page. It asks for the ad again, with the facts of the page, and reports once where on which page
 * the ad zone stands, and for how long at least half of it was in view until the visitor left or covered the page.
 */
import { DELIVERY_PLACEHOLDER, type ServedAd } from '#domain/delivery/wire.ts';
import { askAgain } from './ask-again.ts';
import type { Asked } from './request.ts';

/** The URL of this module is …/api/serve/placement.js?{token of the report}. */
const token = import.meta.url.split('?')[1];

/** Whole tens of pixels are exact enough, and tell no browser from others. */
const tens = (pixels: number): number => Math.round(pixels / 10) * 10;

export function ask([zone, show]: Asked): void {
  const shown = (ad: ServedAd) => {
    show(ad);
    watch(zone);
  };
  askAgain(zone, shown, 'm&', '');
}

function watch(box: Element): void {
  // The place within a frame says nothing about the page around it.
  if (top !== self) return;
  const { left, top: above, width, height } = box.getBoundingClientRect();
  const { scrollWidth, scrollHeight } = document.documentElement;
  const place = [
    innerWidth,
    innerHeight,
    scrollWidth,
    scrollHeight,
    left + scrollX,
    above + scrollY,
    width,
    height,
  ].map(tens);
  let inView = 0;
  /** Since when the box has been in view, or 0. */
  let since = 0;
  const note = (isSeen: boolean) => {
    const now = performance.now();
    if (since) inView += now - since;
    since = isSeen ? now : 0;
  };
  const observer = new IntersectionObserver(
    (entries) => note(entries.pop()!.intersectionRatio >= 0.5 && !document.hidden),
    { threshold: 0.5 },
  );
  observer.observe(box);
  const report = () => {
    if (!document.hidden) return;
    removeEventListener('visibilitychange', report);
    observer.disconnect();
    note(false);
    // sendBeacon would send cookies: https://github.com/w3c/beacon/issues/1
    const numbers = [...place, Math.round(inView)].join();
    fetch(
      `${DELIVERY_PLACEHOLDER}/api/serve/placement/${token}?${numbers}&${location.pathname.slice(0, 301)}`,
      { keepalive: true, method: 'POST', credentials: 'omit' },
    ).catch(() => {});
  };
  addEventListener('visibilitychange', report);
}

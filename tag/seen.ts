import {
  LARGE_DISPLAY_PIXELS,
  VIEWABLE_MS,
  VIEWABLE_SHARE,
  VIEWABLE_SHARE_LARGE,
  VIEWABLE_VIDEO_MS,
} from '#domain/delivery/wire.ts';
import { SAMPLE_MS } from './pace.ts';
import { watch } from './watch.ts';

/**
 * POSTs once to `view` when the ad has been viewable by the MRC's rule: enough of the `sold` pixels on screen, in
 * the tab in front, for one continuous second; for a video, two seconds of play. An ad that is made invisible, or
 * squeezed until too few pixels are left, never is. A video plays while it can be seen, and only then.
 *
 * Ends by itself when `ad` leaves the page.
 */
export function whenSeen(ad: Element, sold: number, video: HTMLVideoElement | false, view: string): void {
  /** Samples in a row that must be good; -1 when the view is reported. */
  let needed = video ? VIEWABLE_VIDEO_MS / SAMPLE_MS : VIEWABLE_MS / SAMPLE_MS;
  let good = 0;
  let inView = false;
  let seen = false;
  let position: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const sample = (change?: unknown) => {
    const before = seen;
    seen =
      inView &&
      !document.hidden &&
      // Browsers without it (before 2024) are believed.
      (ad.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) ?? true);
    // Time runs from the change that made the ad visible, so this sample is not one of the row.
    good = seen && !change ? good + 1 : 0;
    if (video) {
      // Only on a change, so that a visitor's own pause holds.
      if (seen !== before)
        if (!seen) video.pause();
        else if (video.autoplay) video.play().catch(() => {});
      if (position === (position = video.currentTime)) good = 0;
    }
    if (good === needed) {
      // Not sendBeacon, which would send cookies: https://github.com/w3c/beacon/issues/1
      fetch(view, { credentials: 'omit', method: 'POST', keepalive: true }).catch(() => {});
      needed = -1;
    }
    clearTimeout(timer);
    if (inView && (video || needed > 0)) timer = setTimeout(sample, SAMPLE_MS);
  };

  watch(
    ad,
    (entry) => {
      const { width, height } = entry.intersectionRect;
      inView =
        width * height >=
        sold * (video || sold < LARGE_DISPLAY_PIXELS ? VIEWABLE_SHARE : VIEWABLE_SHARE_LARGE);
      sample(entry);
    },
    { threshold: [VIEWABLE_SHARE_LARGE, VIEWABLE_SHARE, 1] },
  );
  addEventListener('visibilitychange', sample);
}

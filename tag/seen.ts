import {
  LARGE_DISPLAY_PIXELS,
  VIEWABLE_MS,
  VIEWABLE_SHARE,
  VIEWABLE_SHARE_LARGE,
  VIEWABLE_VIDEO_MS,
} from '#domain/delivery/wire.ts';
import { SAMPLE_MS } from './pace.ts';
import { observe } from './observe.ts';

/**
 * To be called when the ad is rendered. POSTs once to `view` when it has been viewable by the MRC's rule: enough of
 * the `area` that was sold, in pixels, on screen, in the tab in front, for one continuous second; for a video, two
 * seconds of play. An ad that is made invisible, or squeezed until too few pixels are left, never is. Where the page
 * is left or covered before that, it POSTs `?rendered` to the same address, once. A video plays while it can be
 * seen, and only then.
 *
 * Ends by itself when what was `drawn` leaves the page.
 */
export function whenSeen(drawn: Element, area: number, video: HTMLVideoElement | false, view: string): void {
  /** Samples in a row that must be good. */
  const needed = video ? VIEWABLE_VIDEO_MS / SAMPLE_MS : VIEWABLE_MS / SAMPLE_MS;
  let good = 0;
  let inView: boolean | undefined;
  let seen: boolean | undefined;
  let reported: boolean | undefined;
  let position: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const sample = (change?: unknown) => {
    const hidden = document.hidden;
    const before = seen;
    seen =
      inView &&
      !hidden &&
      // Browsers without it (before 2024) are believed.
      (drawn.checkVisibility?.({ checkVisibilityCSS: true, checkOpacity: true }) ?? true);
    // Time runs from the change that made the ad visible, so this sample is not one of the row.
    good = seen && !change ? good + 1 : 0;
    if (video) {
      // Only on a change, so that a visitor's own pause holds.
      if (seen !== before)
        if (!seen) video.pause();
        else if (video.autoplay) video.play().catch(() => {});
      if (position === (position = video.currentTime)) good = 0;
    }
    if (view && (hidden ? !reported : good === needed)) {
      reported = true;
      // Not sendBeacon, which would send cookies: https://github.com/w3c/beacon/issues/1
      fetch(hidden ? view + '?rendered' : view, {
        keepalive: true,
        method: 'POST',
        credentials: 'omit',
      }).catch(() => {});
      if (!hidden) view = '';
    }
    clearTimeout(timer);
    if (inView && (video || view)) timer = setTimeout(sample, SAMPLE_MS);
  };

  observe(
    drawn,
    (entry) => {
      const { width, height } = entry.intersectionRect;
      inView =
        width * height >=
        area * (video || area < LARGE_DISPLAY_PIXELS ? VIEWABLE_SHARE : VIEWABLE_SHARE_LARGE);
      sample(entry);
    },
    { threshold: [VIEWABLE_SHARE_LARGE, VIEWABLE_SHARE, 1] },
  );
  addEventListener('visibilitychange', sample);
}

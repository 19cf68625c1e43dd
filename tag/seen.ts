import {
  LARGE_DISPLAY_PIXELS,
  VIEWABLE_MS,
  VIEWABLE_SHARE,
  VIEWABLE_SHARE_LARGE,
  VIEWABLE_VIDEO_MS,
} from '#domain/delivery/wire.ts';
import { SAMPLE_MS } from './pace.ts';
import { prove } from './proof.ts';

/**
 * Call this when the ad is rendered. It POSTs once to `view` when the ad has been viewable by the MRC's rule: enough of
 * the `area` that was sold, in pixels, was on screen in the active tab for one continuous second, or two seconds of
 * play for a video. An ad that is hidden, or made too small, never becomes viewable. If the page is left or covered
 * before that, this POSTs once to the same URL with `?rendered`. Both carry the proof that a browser has rendered the ad. A
 * video plays only while it is in view.
 *
 * `root` holds the ad. This stops by itself when it is removed from the page.
 */
export function whenSeen(root: ShadowRoot, area: number, video: HTMLVideoElement | null, view: string): void {
  const drawn = root.lastChild as Element;
  /** The number of consecutive good samples that make a view. */
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
      // Browsers before 2024 lack this method. Treat the ad as visible there.
      (drawn.checkVisibility?.({ checkVisibilityCSS: true, checkOpacity: true }) ?? true);
    // Time runs from the change that made the ad visible, so this sample does not count yet.
    good = seen && !change ? good + 1 : 0;
    if (video) {
      // Act only on a change, so that a visitor can pause the video.
      if (seen !== before)
        if (!seen) video.pause();
        else if (video.autoplay) video.play().catch(() => {});
      if (position === (position = video.currentTime)) good = 0;
    }
    if (view && (hidden ? !reported : good === needed)) {
      reported = true;
      // sendBeacon would send cookies: https://github.com/w3c/beacon/issues/1
      fetch(view + (hidden ? '?rendered=' : '?') + prove(root, view), {
        keepalive: true,
        method: 'POST',
        credentials: 'omit',
      }).catch(() => {});
      if (!hidden) view = '';
    }
    clearTimeout(timer);
    if (inView && (video || view)) timer = setTimeout(sample, SAMPLE_MS);
  };

  new IntersectionObserver(
    (entries) => {
      const { width, height } = entries.pop()!.intersectionRect;
      inView =
        width * height >=
        area * (video || area < LARGE_DISPLAY_PIXELS ? VIEWABLE_SHARE : VIEWABLE_SHARE_LARGE);
      sample(entries);
    },
    { threshold: [VIEWABLE_SHARE_LARGE, VIEWABLE_SHARE, 1] },
  ).observe(drawn);
  addEventListener('visibilitychange', sample);
}

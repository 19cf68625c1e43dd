/**
 * The messages between the tag and the ad server. This file imports only types, so that the tag's bundle contains
 * only these constants.
 */
import type { AdType } from '../ads/types.ts';

/** 'house' is the publisher's own ad or 'Advertise here'; 'none' leaves the reserved box blank. */
export type ServedKind = AdType | 'house' | 'none';

/** The answer for one zone in `GET /api/serve/ads?z=ID,ID`. All addresses are absolute URLs. */
export type ServedAd = {
  zone: string;
  kind: ServedKind;
  title?: string;
  text?: string;
  /** The site of a text ad's target: 'kernelroast.example'. */
  site?: string;
  /** The style sheet of the ad in its zone (ad-style.ts). Absent for kind 'none'. */
  css?: string;
  /** The image or the MP4 file. */
  src?: string;
  /** The addresses of an animated image and of its still, and which of them a visitor gets (stillable). */
  srcset?: string;
  sizes?: string;
  /** The image that is shown until a video plays. */
  poster?: string;
  /** The size of the creative in pixels, if known. */
  width?: number;
  height?: number;
  /**
   * POST here once, when the creative has been viewable, or with `rendered=` in the query, when its page is left or
   * covered before that. The query is the proof that a browser rendered the ad (render-proof.ts). Absent if nothing is
   * counted.
   */
  view?: string;
  /** The link of the ad. */
  click?: string;
  /** The page 'Why this ad?'. */
  why?: string;
  /**
   * The area of the zone as it was sold, in pixels. Viewability is a share of this, even if the page resizes the box.
   */
  area?: number;
  /**
   * The address of a module that asks for the ad again: with facts about the page (tag/facts.ts), if the ads of the zone are
   * limited by such facts, to measure the place of the zone (tag/placement.ts), on few requests, or for a sample ad
   * (tag/sample.ts), while its publisher tests the zone. Only if the request has
   * `n` in its query, by which the tag says that it can do this, or `m`: it can, and measures the place already.
   */
  needs?: string;
};

/** The query of a creative's address that gets its first frame. */
export const STILL = 'still';

/** The address of an image that does not move. */
export function stillOf(src: string): string {
  return src.endsWith('.gif') ? `${src}?${STILL}` : src;
}

/**
 * The addresses of an image. A GIF stands still for visitors who ask their system for less motion (WCAG 2.2.2). The browser
 * chooses by `sizes`, so it does not load the animation, and the tag needs no code for it.
 */
export function stillable(src: string): Pick<ServedAd, 'src' | 'srcset' | 'sizes'> {
  const still = stillOf(src);
  if (still === src) return { src };
  // The browser takes the smallest file that is as wide as `sizes` says: the still (declared as 10 px) for 1 px, and the
  // animation (1,000 px) for 1,000 px.
  return {
    src,
    srcset: `${still} 10w,${src} 1000w`,
    sizes: '(prefers-reduced-motion:reduce) 1px,1000px',
  };
}

/** The answers for the requested zones, in the order of the request. */
export type ServedAds = { ads: ServedAd[] };

/** The modules of `needs` on the delivery address. */
export const FACTS_PATH = '/api/serve/facts.js';
export const POSITION_PATH = '/api/serve/placement.js';
export const SAMPLE_PATH = '/api/serve/sample.js';

/** The script that turns the marked elements of a page into ad zones. */
export const POSTS_PATH = '/api/serve/posts.js';

/**
 * Stands for the delivery address in the built scripts; the server puts its own in when it starts (server/delivery/formats/
 * files.ts). The scripts cannot read it from their `src`: optimizers of pages combine them with other scripts, evaluate
 * them from a blob or load them as modules (docs/decisions/125-tag-in-ordinary-pages.md).
 */
export const DELIVERY_PLACEHOLDER = 'https://openslot.invalid';

/** The maximum number of zones in one request. */
export const MAX_ZONES_PER_REQUEST = 20;

/** MRC viewable display: half of the pixels for one continuous second; 30% from LARGE_DISPLAY_PIXELS on. */
export const LARGE_DISPLAY_PIXELS = 242_500;
export const VIEWABLE_SHARE = 0.5;
export const VIEWABLE_SHARE_LARGE = 0.3;
export const VIEWABLE_MS = 1000;
/** MRC viewable video: two continuous seconds of play. */
export const VIEWABLE_VIDEO_MS = 2000;

/** The layout that proves a view (render-proof.ts): the number of its boxes, and its width in columns of PROOF_UNIT pixels. */
export const PROOF_BOXES = 8;
export const PROOF_COLUMNS = 12;
export const PROOF_UNIT = 8;

/**
 * The messages between the tag and the ad server. This file has no imports, so that the tag's bundle contains only
 * these constants.
 */

/** 'house' is the publisher's own ad or 'Advertise here'; 'none' leaves the reserved box blank. */
export type ServedKind = 'text' | 'image' | 'video' | 'house' | 'none';

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
   * limited by such facts, or to measure the place of the zone (tag/placement.ts), on few requests. Only if the request has
   * `n` in its query, by which the tag says that it can do this, or `m`: it can, and measures the place already.
   */
  needs?: string;
};

/** The answers for the requested zones, in the order of the request. */
export type ServedAds = { ads: ServedAd[] };

/** The modules of `needs` on the delivery address. */
export const FACTS_PATH = '/api/serve/facts.js';
export const PLACEMENT_PATH = '/api/serve/placement.js';

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

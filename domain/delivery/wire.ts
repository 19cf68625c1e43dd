/**
 * What the tag and the ad server say to each other. No imports: the tag's bundle takes these types and
 * constants and nothing else.
 */

/** 'house' is the publisher's own ad or 'Advertise here from $X'; 'none' leaves the reserved box blank. */
export type ServedKind = 'text' | 'image' | 'video' | 'house' | 'none';

/** One zone's answer in `GET /api/serve/ads?z=ID,ID`. `view` and `click` are whole URLs. */
export type ServedAd = {
  zone: string;
  kind: ServedKind;
  title?: string;
  text?: string;
  /** Address of the image or the MP4. */
  src?: string;
  /** Address of the picture shown before a video plays. */
  poster?: string;
  /** Pixels of the creative, where known. */
  width?: number;
  height?: number;
  /**
   * Where to POST once, when the creative has been viewable; and with `?rendered`, when its page is left or covered
   * before that. Absent where nothing is counted.
   */
  view?: string;
  /** Where a click goes. */
  click?: string;
  /** The page 'why this ad'. */
  why?: string;
  /** Pixels of the zone as it was sold: what is on screen is a share of these, whatever the page makes of the box. */
  area?: number;
};

/** One answer for each zone asked, in the order asked. */
export type ServedAds = { ads: ServedAd[] };

/** Zones one request may ask for. */
export const MAX_ZONES_PER_REQUEST = 20;

/** MRC viewable display: half of the pixels for one continuous second; from this size on, 30 %. */
export const LARGE_DISPLAY_PIXELS = 242_500;
export const VIEWABLE_SHARE = 0.5;
export const VIEWABLE_SHARE_LARGE = 0.3;
export const VIEWABLE_MS = 1000;
/** MRC viewable video: two continuous seconds of play. */
export const VIEWABLE_VIDEO_MS = 2000;

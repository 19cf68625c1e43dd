import { MINUTE_MS } from '../time.ts';

/** Types and limits of uploads. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif'] as const;
export const VIDEO_TYPE = 'video/mp4';

/** Ad forms check this limit before they send an image. The server accepts images up to MAX_IMAGE_BYTES. [OP-088] */
export const MAX_AD_IMAGE_BYTES = 5 * 1024 * 1024;
export const MAX_IMAGE_BYTES = 10_485_760;
export const MAX_VIDEO_BYTES = 50 * 1024 * 1024;
export const MAX_VIDEO_SECONDS = 30;
/** A video view counts after two seconds of play by the MRC's rule, so a shorter video could never be counted. */
export const MIN_VIDEO_SECONDS = 2;
/** Counts all frames of an animation together. The limit guards against decompression bombs. */
export const MAX_IMAGE_PIXELS = 25_000_000;

/** An upload address accepts one PUT within this time. [OP-087] */
export const UPLOAD_LIFETIME_MS = 15 * MINUTE_MS;

/** The number of images in the Recent tab of the media library. [MED-01] */
export const RECENT_IMAGES = 6;

/** `/ad-images/{name}`, where `name` is the last path segment of the upload address. */
export const IMAGE_PATH = /^\/ad-images\/([A-Za-z0-9_-]{22,64})$/;

/** '…/name?query' -> '/ad-images/name'. [MED-14] */
export function imagePathOf(uploadUrl: string): string {
  const path = uploadUrl.split(/[?#]/)[0] ?? '';
  return `/ad-images/${path.slice(path.lastIndexOf('/') + 1)}`;
}

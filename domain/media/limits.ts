/** What may be uploaded (specification, section 5; design 6.3). */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif'] as const;
export const VIDEO_TYPE = 'video/mp4';

/** Ad forms check this before sending; the server's own limit is the library's (OP-088). */
export const MAX_AD_IMAGE_BYTES = 5 * 1024 * 1024;
export const MAX_IMAGE_BYTES = 10_485_760;
export const MAX_VIDEO_BYTES = 50 * 1024 * 1024;
export const MAX_VIDEO_SECONDS = 30;
/** A view of a video counts after two seconds of play (MRC), so a shorter one could be shown but never counted. */
export const MIN_VIDEO_SECONDS = 2;
/** Guards against decompression bombs; over all frames of an animation. */
export const MAX_IMAGE_PIXELS = 25_000_000;

/** An upload address works for one PUT within this time (OP-087). */
export const UPLOAD_LIFETIME_MS = 15 * 60 * 1000;

/** The media library's Recent tab. */
export const RECENT_IMAGES = 6;

/** `/ad-images/{name}`, where `name` is the last path segment of the upload address. */
export const IMAGE_PATH = /^\/ad-images\/([A-Za-z0-9_-]{22,64})$/;

/** '…/name?query' -> '/ad-images/name' (specification, section 7). */
export function imagePathOf(uploadUrl: string): string {
  const path = uploadUrl.split(/[?#]/)[0] ?? '';
  return `/ad-images/${path.slice(path.lastIndexOf('/') + 1)}`;
}

import {
  IMAGE_TYPES,
  MAX_AD_IMAGE_BYTES,
  MAX_IMAGE_BYTES,
  MAX_VIDEO_BYTES,
  VIDEO_TYPE,
} from '#domain/media/limits.ts';

/** The files that an upload field accepts, and how to say so. The server checks the content itself. */
export type Accepted = { types: readonly string[]; maxBytes: number; words: string };

export const AD_IMAGE: Accepted = {
  types: IMAGE_TYPES,
  maxBytes: MAX_AD_IMAGE_BYTES,
  words: 'JPG, PNG or GIF, up to 5 MB',
};

export const LIBRARY_IMAGE: Accepted = {
  types: IMAGE_TYPES,
  maxBytes: MAX_IMAGE_BYTES,
  words: 'JPG, PNG or GIF, up to 10 MB',
};

export const AD_VIDEO: Accepted = {
  types: [VIDEO_TYPE],
  maxBytes: MAX_VIDEO_BYTES,
  words: 'MP4 (H.264), up to 30 seconds and 50 MB',
};

/** Why a file is refused before it is sent; null when it may be sent. */
export function refusal(file: File, accepted: Accepted): string | null {
  if (!accepted.types.includes(file.type)) {
    return `"${file.name}" isn't a supported file. Choose another one: ${accepted.words}.`;
  }
  if (file.size > accepted.maxBytes) {
    return `"${file.name}" is too large. Choose a file of ${accepted.maxBytes / 1024 / 1024} MB or less.`;
  }
  if (file.size === 0) return `"${file.name}" is empty. Choose another file.`;
  return null;
}

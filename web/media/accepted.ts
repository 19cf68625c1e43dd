import {
  IMAGE_TYPES,
  MAX_AD_IMAGE_BYTES,
  MAX_IMAGE_BYTES,
  MAX_VIDEO_BYTES,
  VIDEO_TYPE,
} from '#domain/media/limits.ts';

/** What one place of the application takes. The server looks at the content itself. */
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
    return `"${file.name}" is of another kind. Please choose a file of this kind: ${accepted.words}.`;
  }
  if (file.size > accepted.maxBytes) {
    return `"${file.name}" is too large. At most ${accepted.maxBytes / 1024 / 1024} MB are allowed.`;
  }
  if (file.size === 0) return `"${file.name}" is empty.`;
  return null;
}

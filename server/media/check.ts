import { createHash } from 'node:crypto';
import { MAX_IMAGE_BYTES, MAX_VIDEO_BYTES } from '#domain/media/limits.ts';
import { invalid, tooLarge, wrongKind } from '../http/errors.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { checkImage } from './image.ts';
import { type Decoded, type Kind, KINDS, kindOf } from './kinds.ts';
import { checkVideo } from './video.ts';

/** A file that may be shown: what it is, and the bytes that other sites get to see. */
export type CheckedFile = {
  contentType: Kind['contentType'];
  width: number;
  height: number;
  durationMs: number | null;
  rendition: { name: string; bytes: Uint8Array };
};

export const IMAGE_TOO_LARGE = 'The image is too large: 10 MB at most.';
export const VIDEO_TOO_LARGE = 'The video is too large: 50 MB at most.';

// Decoding takes whole cores and much memory; more at once would only slow each other and the rest of the server.
export const decoding = createConcurrencyLimit(2);

/**
 * Throws 400 for an empty file, 413 for one beyond the limits, and 415 for one that is not what it must be. The
 * content decides, never a name or a declared type (OP-087).
 */
export async function checkFile(bytes: Buffer): Promise<CheckedFile> {
  if (bytes.length === 0) throw invalid('The file is empty.');
  const kind = kindOf(bytes);
  if (kind === null) throw wrongKind('Only JPEG, PNG and GIF images and MP4 videos can be uploaded.');
  if (kind !== 'mp4' && bytes.length > MAX_IMAGE_BYTES) throw tooLarge(IMAGE_TOO_LARGE);
  if (kind === 'mp4' && bytes.length > MAX_VIDEO_BYTES) throw tooLarge(VIDEO_TOO_LARGE);

  const { bytes: shown, ...file } = await decoding<Decoded>(() =>
    kind === 'mp4' ? checkVideo(bytes) : checkImage(bytes, kind),
  );
  const hash = createHash('sha256').update(shown).digest('hex');
  const { contentType, extension } = KINDS[kind];
  return { ...file, contentType, rendition: { name: `${hash}.${extension}`, bytes: shown } };
}

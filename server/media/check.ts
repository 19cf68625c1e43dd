import { createHash } from 'node:crypto';
import { MAX_IMAGE_BYTES, MAX_VIDEO_BYTES } from '#domain/media/limits.ts';
import { invalid, tooLarge, wrongKind } from '../http/errors.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { type Decoded, type Kind, type KindName, KINDS, kindOf } from './kinds.ts';

/** A file that passed all checks, with its size in pixels. `rendition` is the file that is shown on other sites. */
export type CheckedFile = {
  contentType: Kind['contentType'];
  width: number;
  height: number;
  durationMs: number | null;
  rendition: { name: string; bytes: Uint8Array };
};

export const IMAGE_TOO_LARGE = 'The image is too large. Choose one of up to 10 MB.';
export const VIDEO_TOO_LARGE = 'The video is too large. Choose one of up to 50 MB.';

// Each decoding keeps a core busy and needs much memory. More than two would slow down the rest of the server.
export const decoding = createConcurrencyLimit(2);

/**
 * Checks an uploaded file by its content, never by its name or declared type. Throws 400 for an empty file, 413 for one
 * beyond the limits, and 415 for a damaged one or one of another type. [OP-087]
 */
export async function checkFile(bytes: Buffer): Promise<CheckedFile> {
  if (bytes.length === 0) throw invalid('The file is empty. Choose another one.');
  const kind = kindOf(bytes);
  if (kind === null) throw wrongKind('Choose a JPEG, PNG or GIF image or an MP4 video.');
  if (kind !== 'mp4' && bytes.length > MAX_IMAGE_BYTES) throw tooLarge(IMAGE_TOO_LARGE);
  if (kind === 'mp4' && bytes.length > MAX_VIDEO_BYTES) throw tooLarge(VIDEO_TOO_LARGE);

  const { bytes: shown, ...file } = await decoding(() => decode(bytes, kind));
  const hash = createHash('sha256').update(shown).digest('hex');
  const { contentType, extension } = KINDS[kind];
  return { ...file, contentType, rendition: { name: `${hash}.${extension}`, bytes: shown } };
}

/** Loads the decoder with the first file that needs it, because both decoders slow down the start of the server. */
async function decode(bytes: Buffer, kind: KindName): Promise<Decoded> {
  if (kind === 'mp4') {
    const { checkVideo } = await import('./video.ts');
    return await checkVideo(bytes);
  }
  const { checkImage } = await import('./image.ts');
  return await checkImage(bytes, kind);
}

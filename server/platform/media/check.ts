import { MAX_IMAGE_BYTES, MAX_VIDEO_BYTES } from '#domain/media/limits.ts';
import { DecoderEnded, type Decoders } from '../decoding/decoders.ts';
import { type Kind, KINDS, kindOf, Refusal } from '../decoding/kinds.ts';
import { HttpError, invalid, tooLarge, wrongKind } from '../http/errors.ts';

/** A file that passed all checks, with its size in pixels. `rendition` is the file that is shown on other sites. */
export type CheckedFile = {
  contentType: Kind['contentType'];
  width: number;
  height: number;
  durationMs: number | null;
  rendition: { extension: Kind['extension']; bytes: Uint8Array };
};

export const IMAGE_TOO_LARGE = 'The image is too large. Choose one of up to 10 MB.';
export const VIDEO_TOO_LARGE = 'The video is too large. Choose one of up to 50 MB.';

/**
 * Checks an uploaded file by its content, never by its name or declared type. Throws 400 for an empty file, 413 for one
 * beyond the limits, and 415 for a damaged one or one of another type, and 422 for one
 * that takes too long to decode. [OP-087]
 */
export async function checkFile(decoders: Decoders, bytes: Buffer): Promise<CheckedFile> {
  if (bytes.length === 0) throw invalid('The file is empty. Choose another one.');
  const kind = kindOf(bytes);
  if (kind === null) throw wrongKind('Choose a JPEG, PNG or GIF image or an MP4 video.');
  if (kind !== 'mp4' && bytes.length > MAX_IMAGE_BYTES) throw tooLarge(IMAGE_TOO_LARGE);
  if (kind === 'mp4' && bytes.length > MAX_VIDEO_BYTES) throw tooLarge(VIDEO_TOO_LARGE);

  const decoded = await refused(
    kind === 'mp4'
      ? decoders.decode('video', bytes, undefined).then((video) => ({ ...video, bytes }))
      : decoders.decode('image', bytes, { kind }),
  );
  const { bytes: shown, ...file } = decoded;
  const { contentType, extension } = KINDS[kind];
  return { ...file, contentType, rendition: { extension, bytes: shown } };
}

/** Answers a refusal of the decoder with its message, and a file that made it end with 422. */
export async function refused<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch (error) {
    if (error instanceof Refusal) throw new HttpError(error.status, error.message);
    if (error instanceof DecoderEnded) {
      throw new HttpError(422, 'This file takes too long to check. Save it again, or choose a smaller one.');
    }
    throw error;
  }
}

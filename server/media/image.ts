import sharp, { type Sharp } from 'sharp';
import { MAX_IMAGE_PIXELS } from '#domain/media/limits.ts';
import { tooLarge, wrongKind } from '../http/errors.ts';
import type { Decoded, KindName } from './kinds.ts';
import { isComplete } from './complete.ts';

const DECODE_SECONDS = 20;

type ImageKind = Exclude<KindName, 'mp4'>;

/**
 * Decodes the whole image and encodes it again, upright and without metadata. No location, camera data or hidden second
 * file reaches a publisher's page. An animation keeps its frames. Throws 413 and 415.
 */
export async function checkImage(bytes: Buffer, kind: ImageKind): Promise<Decoded> {
  const image = await openImage(bytes, kind, { animated: kind === 'gif' });
  const { data, info } = await readable(encode(image, kind).toBuffer({ resolveWithObject: true }));
  return { width: info.width, height: info.pageHeight ?? info.height, durationMs: null, bytes: data };
}

/**
 * Returns the center of the image as an upright square WebP of `side` pixels without metadata. Of an animation it takes
 * the first frame. Throws 413 and 415.
 */
export async function squareImage(bytes: Buffer, kind: ImageKind, side: number): Promise<Uint8Array> {
  const image = await openImage(bytes, kind, { animated: false });
  return await readable(
    image.autoOrient().resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer(),
  );
}

/** Throws 413 for an image that is too large to decode, and 415 for a damaged or truncated one. */
async function openImage(
  bytes: Buffer,
  kind: ImageKind,
  { animated }: { animated: boolean },
): Promise<Sharp> {
  const options = { animated, failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS } as const;
  // The size comes from the header, before any pixel is decompressed.
  const header = await readable(sharp(bytes, { ...options, limitInputPixels: false }).metadata());
  const frames = (header.pageHeight ?? header.height) * (header.pages ?? 1);
  if (header.width * frames > MAX_IMAGE_PIXELS) {
    throw tooLarge(
      'The image has too many pixels. Scale it down to at most 25 million pixels over all frames.',
    );
  }
  if (header.format !== kind || !isComplete(bytes, kind)) throw damaged();
  return sharp(bytes, options).timeout({ seconds: DECODE_SECONDS });
}

function encode(image: Sharp, kind: ImageKind): Sharp {
  switch (kind) {
    case 'jpeg':
      return image.autoOrient().jpeg({ quality: 85 });
    case 'png':
      return image.autoOrient().png();
    case 'gif':
      return image.gif();
  }
}

/** Any error of the decoder means that the file is damaged. */
async function readable<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch {
    throw damaged();
  }
}

function damaged() {
  return wrongKind('This image is damaged or incomplete. Save it again as JPEG, PNG or GIF.');
}

import sharp, { type Sharp } from 'sharp';
import { MAX_IMAGE_PIXELS } from '#domain/media/limits.ts';
import { tooLarge, wrongKind } from '../http/errors.ts';
import type { Decoded, KindName } from './kinds.ts';
import { isComplete } from './complete.ts';

const DECODE_SECONDS = 20;

type ImageKind = Exclude<KindName, 'mp4'>;

/**
 * Decodes the whole image and writes it anew, upright and without metadata: no place, no camera, no second file
 * hidden behind the first reaches a publisher's page. An animation keeps its frames.
 */
export async function checkImage(bytes: Buffer, kind: ImageKind): Promise<Decoded> {
  const image = await openImage(bytes, kind, { animated: kind === 'gif' });
  const { data, info } = await readable(encode(image, kind).toBuffer({ resolveWithObject: true }));
  return { width: info.width, height: info.pageHeight ?? info.height, durationMs: null, bytes: data };
}

/** The middle of the image, upright, as a square WebP of `side` pixels without metadata; of an animation one frame. */
export async function squareImage(bytes: Buffer, kind: ImageKind, side: number): Promise<Uint8Array> {
  const image = await openImage(bytes, kind, { animated: false });
  return await readable(
    image.autoOrient().resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer(),
  );
}

/** Throws 413 and 415 for what is too large to decode, and for what is not whole. */
async function openImage(
  bytes: Buffer,
  kind: ImageKind,
  { animated }: { animated: boolean },
): Promise<Sharp> {
  const options = { animated, failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS } as const;
  // Asked of the header, before a single pixel is unpacked.
  const header = await readable(sharp(bytes, { ...options, limitInputPixels: false }).metadata());
  const frames = (header.pageHeight ?? header.height) * (header.pages ?? 1);
  if (header.width * frames > MAX_IMAGE_PIXELS) {
    throw tooLarge('The image has too many pixels: 25 million at most, over all its frames.');
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

/** Whatever the decoder cannot read is the file's fault. */
async function readable<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch {
    throw damaged();
  }
}

function damaged() {
  return wrongKind('This image is damaged or incomplete. Please save it again as JPEG, PNG or GIF.');
}

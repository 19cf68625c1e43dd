import sharp, { type Sharp } from 'sharp';
import { MAX_IMAGE_PIXELS } from '#domain/media/limits.ts';
import { tooLarge, wrongKind } from '../http/errors.ts';
import type { Decoded, KindName } from './kinds.ts';
import { isWhole } from './whole.ts';

const DECODE_SECONDS = 20;

/**
 * Decodes the whole image and writes it anew, upright and without metadata: no place, no camera, no second file
 * hidden behind the first reaches a publisher's page. An animation keeps its frames.
 */
export async function checkImage(bytes: Buffer, kind: Exclude<KindName, 'mp4'>): Promise<Decoded> {
  const options = { animated: kind === 'gif', failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS } as const;
  // Asked of the header, before a single pixel is unpacked.
  const header = await readable(sharp(bytes, { ...options, limitInputPixels: false }).metadata());
  const frames = (header.pageHeight ?? header.height) * (header.pages ?? 1);
  if (header.width * frames > MAX_IMAGE_PIXELS) {
    throw tooLarge('The image has too many pixels: 25 million at most, over all its frames.');
  }
  if (header.format !== kind || !isWhole(bytes, kind)) throw damaged();
  const image = sharp(bytes, options).timeout({ seconds: DECODE_SECONDS });
  const { data, info } = await readable(encode(image, kind).toBuffer({ resolveWithObject: true }));
  return { width: info.width, height: info.pageHeight ?? info.height, durationMs: null, bytes: data };
}

function encode(image: Sharp, kind: Exclude<KindName, 'mp4'>): Sharp {
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

import sharp, { type Sharp } from 'sharp';
import { MAX_IMAGE_PIXELS } from '#domain/media/limits.ts';
import type { Decoded, KindName } from './kinds.ts';
import { isComplete } from './complete.ts';
import { Refusal } from './refusal.ts';

// The server decodes two files at once, on the cores that also answer ads.
sharp.concurrency(1);

type ImageKind = Exclude<KindName, 'mp4'>;

/**
 * Decodes the whole image and encodes it again, upright and without metadata. No location, camera data or hidden second
 * file reaches a publisher's page. An animation keeps its frames. Throws Refusal.
 */
export async function checkImage(
  bytes: Buffer,
  { kind }: { kind: ImageKind },
): Promise<Decoded & { bytes: Uint8Array }> {
  const image = await openImage(bytes, kind, { animated: kind === 'gif' });
  const { data, info } = await readable(encode(image, kind).toBuffer({ resolveWithObject: true }));
  return { width: info.width, height: info.pageHeight ?? info.height, durationMs: null, bytes: data };
}

/**
 * Returns the center of the image as an upright square WebP of `side` pixels without metadata. Of an animation it takes
 * the first frame. Throws Refusal.
 */
export async function squareImage(
  bytes: Buffer,
  { kind, side }: { kind: ImageKind; side: number },
): Promise<{ bytes: Uint8Array }> {
  const image = await openImage(bytes, kind, { animated: false });
  const square = image.autoOrient().resize(side, side, { fit: 'cover' }).webp({ quality: 85 });
  return { bytes: await readable(square.toBuffer()) };
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
    throw new Refusal(
      413,
      'The image has too many pixels. Scale it down to at most 25 million pixels over all frames.',
    );
  }
  if (header.format !== kind || !isComplete(bytes, kind)) throw damaged();
  return sharp(bytes, options);
}

function encode(image: Sharp, kind: ImageKind): Sharp {
  switch (kind) {
    case 'jpeg':
      return image.autoOrient().jpeg({ quality: 85 });
    case 'png':
      return image.autoOrient().png();
    case 'gif':
      // The default effort takes four times as long, for files of the same size.
      return image.gif({ effort: 1 });
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
  return new Refusal(415, 'This image is damaged or incomplete. Save it again as JPEG, PNG or GIF.');
}

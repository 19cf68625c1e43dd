import sharp, { type Sharp } from 'sharp';
import { MAX_IMAGE_PIXELS } from '#domain/media/limits.ts';
import { type Decoded, type KindName, Refusal } from './kinds.ts';
import { isAnimatedPng, isComplete } from './complete.ts';

// The server decodes two files at once, on the cores that also answer ads.
sharp.concurrency(1);

type ImageKind = Exclude<KindName, 'mp4'>;

/**
 * Decodes the whole image and encodes it again, upright and without metadata. No location, camera data or hidden second
 * file reaches a publisher's page. An animated GIF keeps its frames, and an animated PNG is refused. Throws Refusal.
 */
export async function checkImage(
  bytes: Buffer,
  { kind }: { kind: ImageKind },
): Promise<Decoded & { bytes: Uint8Array }> {
  if (kind === 'png' && isAnimatedPng(bytes))
    throw new Refusal(
      415,
      'Animated PNGs would lose their animation. Save this picture as an animated GIF, or as a still PNG.',
    );
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

/**
 * Returns a PNG in which the picture fits into `box`, in the middle of `canvas` if there is one. The bytes are those of
 * `checkImage` or `cleanSvg`. Throws Refusal.
 */
export async function renderPng(
  bytes: Buffer,
  { box, canvas, enlarge }: RenditionOptions,
): Promise<{ width: number; height: number; bytes: Uint8Array }> {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const limits = { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' } as const;
  const fitting = sharp(bytes, limits).resize(box.width, box.height, {
    fit: canvas ? 'inside' : enlarge ? 'contain' : 'inside',
    background,
    withoutEnlargement: !enlarge,
  });
  const fit = await readable(fitting.png().toBuffer({ resolveWithObject: true }));
  if (!canvas) return { width: fit.info.width, height: fit.info.height, bytes: fit.data };
  const { color, width, height } = canvas;
  const card = sharp({ create: { width, height, channels: 3, background: color } });
  return {
    width,
    height,
    bytes: await card
      .composite([{ input: fit.data }])
      .png()
      .toBuffer(),
  };
}

type RenditionOptions = {
  box: { width: number; height: number };
  canvas?: { width: number; height: number; color: string };
  /** Whether a small picture is enlarged, and the result has the size of the box. */
  enlarge: boolean;
};

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

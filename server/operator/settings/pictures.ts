/** Makes the files of a logo or an icon that an operator chose. */
import { createHash } from 'node:crypto';
import { MAX_PICTURE_BYTES } from '#domain/operator/limits.ts';
import { LIGHT } from '#domain/theme.ts';
import {
  cardFile,
  ICON_SIDES,
  iconFile,
  mailFile,
  MAX_LOGO_RATIO,
  MIN_ICON_SIDE,
  type Picture,
  pictureIn,
} from '#server/platform/brand/pictures.ts';
import type { Decoders } from '#server/platform/decoding/decoders.ts';
import { kindOf } from '#server/platform/decoding/kinds.ts';
import { HttpError, invalid } from '#server/platform/http/errors.ts';
import { refused } from '#server/platform/media/check.ts';

export const PICTURE_SETTINGS = ['LOGO', 'ICON'] as const;
export type PictureSetting = (typeof PICTURE_SETTINGS)[number];
export const isPictureSetting = (name: string): name is PictureSetting =>
  PICTURE_SETTINGS.some((each) => each === name);

export type BrandFile = { name: string; bytes: Buffer };

/** The names of the files that `makePicture` stores of a picture; null if `file` is not the name of one. */
export function filesOfPicture(name: PictureSetting, file: string): string[] | null {
  const picture = pictureIn(file);
  if (picture === null) return null;
  const renditions =
    name === 'ICON'
      ? ICON_SIDES.map((side) => iconFile(picture, side))
      : [mailFile(picture), cardFile(picture)];
  return [file, ...renditions];
}

/**
 * Returns the picture and its files: an SVG written anew or a PNG encoded anew, and the renditions. Throws 400 with a
 * sentence that begins with the name of the setting. [OWNS-11]
 */
export async function makePicture(
  decoders: Decoders,
  name: PictureSetting,
  bytes: Buffer,
): Promise<{ picture: Picture; files: BrandFile[] }> {
  try {
    return await filesOf(decoders, name, bytes);
  } catch (error) {
    if (error instanceof HttpError) throw invalid(`${name}: ${error.message}`);
    throw error;
  }
}

async function filesOf(decoders: Decoders, name: PictureSetting, bytes: Buffer) {
  if (bytes.length === 0) throw invalid('The file is empty. Choose an SVG or a PNG.');
  if (bytes.length > MAX_PICTURE_BYTES) throw invalid('The file is too large. Choose one of up to 256 KB.');
  const isPng = kindOf(bytes) === 'png';
  if (!isPng && !/^\s*</.test(bytes.toString('utf8', 0, 200).replace('\uFEFF', '')))
    throw invalid('This is neither an SVG nor a PNG. Choose one of them.');
  const clean = await refused(
    isPng ? decoders.decode('image', bytes, { kind: 'png' }) : decoders.decode('svg', bytes, undefined),
  );
  requireShape(name, clean, isPng);

  const source = Buffer.from(clean.bytes);
  const png = async (
    file: string,
    box: { width: number; height: number },
    more: object = { enlarge: true },
  ) => {
    const made = await refused(decoders.decode('rendition', source, { box, enlarge: false, ...more }));
    return { ...made, name: file, bytes: Buffer.from(made.bytes) };
  };
  // A PNG is not kept larger than pages show it, at twice the pixels and more.
  const shown = isPng ? await png('', { width: 512, height: 512 }, {}) : { ...clean, bytes: source };
  const hash = createHash('sha256').update(shown.bytes).digest('hex').slice(0, 32);
  const picture = pictureIn(`${hash}-${shown.width}x${shown.height}.${isPng ? 'png' : 'svg'}`)!;
  const renditions =
    name === 'ICON'
      ? ICON_SIDES.map(async (side) => await png(iconFile(picture, side), { width: side, height: side }))
      : [
          png(mailFile(picture), { width: 480, height: 80 }, {}),
          png(
            cardFile(picture),
            { width: 800, height: 320 },
            {
              enlarge: true,
              canvas: { width: 1200, height: 630, color: LIGHT.surface },
            },
          ),
        ];
  return { picture, files: [{ name: picture.file, bytes: shown.bytes }, ...(await Promise.all(renditions))] };
}

function requireShape(
  name: PictureSetting,
  { width, height }: { width: number; height: number },
  isPng: boolean,
): void {
  if (name === 'LOGO') {
    if (width > MAX_LOGO_RATIO * height || height > 2 * width)
      throw invalid(
        `The picture is ${width} × ${height}. Choose one that is at most ${MAX_LOGO_RATIO} times as wide as high, and at most twice as high as wide.`,
      );
    return;
  }
  if (width !== height || (isPng && width < MIN_ICON_SIDE))
    throw invalid(
      `The picture is ${width} × ${height}. Choose a square one${isPng ? ` of at least ${MIN_ICON_SIDE} × ${MIN_ICON_SIDE} pixels` : ''}.`,
    );
}

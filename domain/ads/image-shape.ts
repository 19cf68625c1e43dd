/** The shape that the image of an ad needs. The forms and the server share this rule. */

export type Size = { width: number; height: number };

/** The sizes that are named to people: as the zone is shown, and twice that for sharp screens. */
export function neededSizes({ width, height }: Size): Size[] {
  return [
    { width, height },
    { width: width * 2, height: height * 2 },
  ];
}

/** The needed sizes for the image field of a form. */
export function shapeHint(zone: Size): string {
  const [once, twice] = neededSizes(zone).map(sizeText);
  return `${once} or ${twice} pixels, or another size of this shape`;
}

/**
 * Whether an image fills an ad zone: at least as large, and of its shape. A scaled image has whole pixels, so each side
 * may be up to one pixel off.
 */
export function fitsZone(image: Size, zone: Size): boolean {
  if (image.width < zone.width || image.height < zone.height) return false;
  const byWidth = (image.width * zone.height) / zone.width;
  const byHeight = (image.height * zone.width) / zone.height;
  return Math.abs(image.height - byWidth) <= 1 || Math.abs(image.width - byHeight) <= 1;
}

/** The advice about an image of another shape, in the words of the forms and the API. */
export function shapeProblem(image: Size, zone: Size): string {
  const [once, twice] = neededSizes(zone).map(sizeText);
  return `This image has ${sizeText(image)} pixels. This ad zone needs ${once} or ${twice}, or another size of the same shape.`;
}

/** A size for people, such as '300 × 250'. */
export const sizeText = ({ width, height }: Size): string => `${width} × ${height}`;

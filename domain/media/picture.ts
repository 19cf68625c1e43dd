/** The limit for an uploaded picture of a person or a website. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif'] as const;

/** The server stores a square from the center of the picture, this many pixels wide. */
export const PICTURE_SIDE = 256;

/** Why a file is refused before it is sent, or null. The server checks the content itself. */
export function pictureRefusal({
  name,
  type,
  size,
}: {
  name: string;
  type: string;
  size: number;
}): string | null {
  if (!(PICTURE_TYPES as readonly string[]).includes(type))
    return `"${name}" can't be used as a picture. Choose a JPG, PNG or GIF.`;
  return size > MAX_PICTURE_BYTES ? `"${name}" is too large. Choose a file of 5 MB or less.` : null;
}

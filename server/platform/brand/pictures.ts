/** The names of the files of a logo and an icon (docs/decisions/088-settings-in-the-database.md). */
import { DEFAULT_NAME } from '#domain/marketplace.ts';

/** A stored picture: its file, which is the value of the setting, and its size. */
export type Picture = { file: string; width: number; height: number };

/** A logo may be this many times as wide as high. The header has no room for more. */
export const MAX_LOGO_RATIO = 6;
export const MIN_ICON_SIDE = 180;
/** The sides of the icon's renditions as PNG: for phones and for the manifest. */
export const ICON_SIDES = [180, 192, 512] as const;

/** The hash of the content, the width and the height. */
const NAME = /^[0-9a-f]{32}-([1-9]\d{0,3})x([1-9]\d{0,3})\.(?:svg|png)$/;

export function pictureIn(file: string): Picture | null {
  const [, width, height] = NAME.exec(file) ?? [];
  return width === undefined ? null : { file, width: Number(width), height: Number(height) };
}

export const brandAddress = (file: string) => `/brand/${file}`;
export const typeOf = (file: string) => (file.endsWith('.svg') ? 'image/svg+xml' : 'image/png');

const hashOf = ({ file }: Picture) => file.slice(0, 32);
/** The icon as a square PNG. */
export const iconFile = (icon: Picture, side: (typeof ICON_SIDES)[number]) => `${hashOf(icon)}-${side}.png`;
/** The logo as a PNG, because mail programs do not show SVG. */
export const mailFile = (logo: Picture) => `${hashOf(logo)}-mail.png`;
/** The logo as the picture of link previews. */
export const cardFile = (logo: Picture) => `${hashOf(logo)}-card.png`;

/** The size of a logo in a space of these pixels. */
export function sizeIn({ width, height }: Picture, most: { width: number; height: number }) {
  const scale = Math.min(most.width / width, most.height / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** The addresses of the icons that documents name. */
export function iconAddresses(icon: Picture | null) {
  const png = (side: (typeof ICON_SIDES)[number]) =>
    icon === null ? `/icon-${side}.png` : brandAddress(iconFile(icon, side));
  return {
    icon: icon === null ? '/icon.svg' : brandAddress(icon.file),
    type: icon === null ? 'image/svg+xml' : typeOf(icon.file),
    png,
  };
}

/**
 * The address of the picture of link previews. Null for a name of the operator's own without a logo, because our picture
 * says the name of the software.
 */
export function cardAddress({ name, logo }: { name: string; logo: Picture | null }): string | null {
  if (logo !== null) return brandAddress(cardFile(logo));
  return name === DEFAULT_NAME ? '/social-card.png' : null;
}

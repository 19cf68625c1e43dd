/** The colors of an accent, by the contrast formula of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */

/** Six hexadecimal digits, in lower case: '#c2410c'. */
export type HexColor = string;

/** An accent as ads show it on light and on dark pages. */
export type Accent = { light: HexColor; dark: HexColor };

/** The contrast that WCAG AA requires of small text. */
export const MIN_CONTRAST = 4.5;

/** The page colors that an accent has to stand out from. `dark` is the lightest `Canvas` of the common browsers. */
export const SURFACES: Accent = { light: '#ffffff', dark: '#1e1e1e' };

/** How much of the accent tints the surface of a card. */
const TINT = 0.08;

/** The same, as the last two digits of a color. */
export const TINT_ALPHA = Math.round(TINT * 255)
  .toString(16)
  .padStart(2, '0');

/** The contrast ratio of two colors, from 1 to 21. */
export function contrast(one: HexColor, other: HexColor): number {
  const [lower, higher] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (higher + 0.05) / (lower + 0.05);
}

/**
 * Makes the accent readable on a light and on a dark page, and on a card there. Each is the color that the publisher picked if it has enough
 * contrast, and otherwise the nearest mixture with black or with white that has.
 */
export function readableAccent(picked: HexColor): Accent {
  return {
    light: readableOn(SURFACES.light, picked, '#000000'),
    dark: readableOn(SURFACES.dark, picked, '#ffffff'),
  };
}

/** The pages on which ads show another color than the publisher picked, with that color. */
export function correctionsOf(picked: HexColor): { page: keyof Accent; color: HexColor }[] {
  const accent = readableAccent(picked);
  return (['light', 'dark'] as const).flatMap((page) =>
    accent[page] === picked ? [] : [{ page, color: accent[page] }],
  );
}

function readableOn(page: HexColor, picked: HexColor, towards: HexColor): HexColor {
  const surfaces = [page, mix(page, picked, TINT)];
  for (let percent = 0; percent < 100; percent++) {
    const color = mix(picked, towards, percent / 100);
    if (surfaces.every((surface) => contrast(color, surface) >= MIN_CONTRAST)) return color;
  }
  return towards;
}

/** The color between two colors: `share` is the part of the second one. */
export function mix(one: HexColor, other: HexColor, share: number): HexColor {
  const [from, to] = [channelsOf(one), channelsOf(other)];
  const mixed = from.map((channel, at) => Math.round(channel + ((to[at] ?? 0) - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(color: HexColor): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** Relative luminance, from 0 to 1. */
function luminance(color: HexColor): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

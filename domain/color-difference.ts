/**
 * How far colors are apart for the eye, in OKLab (https://bottosson.github.io/posts/oklab/): its lightness, its green or red,
 * and its blue or yellow.
 */
import type { HexColor } from './delivery/accent.ts';

type Lab = [lightness: number, redness: number, yellowness: number];

/** People name a color by its hue and strength rather than by its lightness, so lightness counts half. */
const OF_LIGHTNESS = 0.5;

/** 0 for the same color, about 0.02 for two that can just be told apart, and up to about 0.6. */
export function difference(one: HexColor, other: HexColor): number {
  const [a, b] = [labOf(one), labOf(other)];
  return Math.hypot((a[0] - b[0]) * OF_LIGHTNESS, a[1] - b[1], a[2] - b[2]);
}

/** The color with another hue, at an angle of `degrees`, and about the same lightness. */
export function turned(color: HexColor, degrees: number): HexColor {
  if (degrees === 0) return color;
  const [lightness, redness, yellowness] = labOf(color);
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return hexOf([lightness, redness * cosine - yellowness * sine, redness * sine + yellowness * cosine]);
}

function labOf(color: HexColor): Lab {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue);
  const m = Math.cbrt(0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue);
  const s = Math.cbrt(0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue);
  return [
    0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s,
    1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s,
    0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s,
  ];
}

/** A color that screens don't have becomes the one with each channel at its limit. */
function hexOf([lightness, redness, yellowness]: Lab): HexColor {
  const l = (lightness + 0.396_337_777_4 * redness + 0.215_803_757_3 * yellowness) ** 3;
  const m = (lightness - 0.105_561_345_8 * redness - 0.063_854_172_8 * yellowness) ** 3;
  const s = (lightness - 0.089_484_177_5 * redness - 1.291_485_548 * yellowness) ** 3;
  const channels = [
    4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
    -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
    -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
  ].map((value) => {
    const coded = value <= 0.003_130_8 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, coded)) * 255);
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

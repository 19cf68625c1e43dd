/** Shares and counts as people read them, in English. Only this file turns a share into a percentage, and a number into words (format.test.ts). */
import { once } from './once.ts';

/** 0.256 -> '25.6%', and with two decimals '25.60%': for columns, whose figures have equal lengths. */
export const percentText = (share: number, decimals = 1): string => `${(share * 100).toFixed(decimals)}%`;

/** 0.57 -> '57%', 0.0152 -> '1.5%': for sentences. */
export const shortPercentText = (share: number): string => `${Math.round(share * 1000) / 10}%`;

// Browsers load their language data with the first formatter, which can take longer than the rest of a page's script.
const counts = once(() => new Intl.NumberFormat('en-US'));

/** 10000 -> '10,000' */
export const countText = (amount: number): string => counts().format(amount);

/** Such as '1 click' or '10,000 clicks'. */
export const counted = (amount: number, one: string): string =>
  `${countText(amount)} ${one}${amount === 1 ? '' : 's'}`;

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** '26 hours': a length of time in whole units, of which there are at least two where they are not seconds. */
export function spanText(seconds: number): string {
  const [unit, length] = UNITS.find((each) => seconds >= 2 * each[1]) ?? ['second', 1];
  const count = Math.floor(seconds / length);
  return counted(count, unit);
}

import { divideHalfUp } from '../money.ts';

/** The platform's share of an ad's price, in percent, unless the operator sets another one. [CHK-09, OWNS-60] */
export const DEFAULT_COMMISSION_PERCENT = 15;
export const MAX_COMMISSION_PERCENT = 50;

/** The percent in '15', '7.5' or '7.50'; null if the text is no percent from 0 to 50 with at most two decimals. */
export function commissionIn(text: string): number | null {
  const percent = /^\d{1,2}(?:\.\d{1,2})?$/.test(text) ? Number(text) : NaN;
  return percent <= MAX_COMMISSION_PERCENT ? percent : null;
}

/** The publisher's share, in percent: 92.5 for a commission of 7.5. */
export function earnedPercent(commissionPercent: number): number {
  return (10_000 - hundredthsOf(commissionPercent)) / 100;
}

/**
 * Splits a price in cents. The fee is included in the price and rounded half up to the cent. The earnings are the rest,
 * so the two always add up. [OP-091]
 */
export function splitPrice(
  totalCents: number,
  commissionPercent: number,
): { commissionCents: number; earningsCents: number } {
  const commissionCents = divideHalfUp(totalCents * hundredthsOf(commissionPercent), 10_000);
  return { commissionCents, earningsCents: totalCents - commissionCents };
}

/** A percent with two decimals is not always an exact number in binary, and its hundredths are. */
function hundredthsOf(percent: number): number {
  return Math.round(percent * 100);
}

import { divideHalfUp } from '../money.ts';

/** The platform's share of an ad's price, in percent (specification, section 9). */
export const PLATFORM_FEE_PERCENT = 15;

/**
 * Splits a price in cents. The fee is inside the price, rounded once, half up; earnings are what is left, so
 * the two always add up (design 6.7, OP-091).
 */
export function splitPrice(totalCents: number): { commissionCents: number; earningsCents: number } {
  const commissionCents = divideHalfUp(totalCents * PLATFORM_FEE_PERCENT, 100);
  return { commissionCents, earningsCents: totalCents - commissionCents };
}

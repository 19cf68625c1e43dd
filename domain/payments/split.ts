import { divideHalfUp } from '../money.ts';

/** The platform's share of an ad's price, in percent. [CONST-02] */
export const PLATFORM_FEE_PERCENT = 15;

/**
 * Splits a price in cents. The fee is included in the price and rounded half up to the cent. The earnings are the rest,
 * so the two always add up. [OP-091]
 */
export function splitPrice(totalCents: number): { commissionCents: number; earningsCents: number } {
  const commissionCents = divideHalfUp(totalCents * PLATFORM_FEE_PERCENT, 100);
  return { commissionCents, earningsCents: totalCents - commissionCents };
}

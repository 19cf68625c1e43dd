/**
 * The earnings of an ad after a part of it was delivered, and the advertiser's refund for the rest. Units are
 * counted impressions or clicks, or seconds of the ad's own clock. All amounts are cents. [LEDG-01]
 */
import type { AdPlan } from '../inventory/pricing.ts';
import { DAY_MS, SECOND_MS } from '../time.ts';

/** The units that a plan buys: impressions, clicks, or seconds. */
export function unitsBought(plan: AdPlan): number {
  switch (plan.pricingModel) {
    case 'per_day':
      return (plan.duration * DAY_MS) / SECOND_MS;
    case 'per_impression':
      return plan.impressions;
    case 'per_click':
      return plan.clicks;
  }
}

/** Returns ⌊cents · units / bought⌋. */
export function shareOf(cents: number, units: number, bought: number): number {
  const product = cents * units;
  if (Number.isSafeInteger(product)) return (product - (product % bought)) / bought;
  // The highest price times a year of seconds is no exact number.
  return Number((BigInt(cents) * BigInt(units)) / BigInt(bought));
}

export type Price = { totalCents: number; commissionCents: number };

/**
 * The earnings of `units` of `bought` units: the publisher's part and the commission, each rounded down. They only
 * grow with `units`, and at the end they add up to the price.
 */
export function earnedOf(
  { totalCents, commissionCents }: Price,
  units: number,
  bought: number,
): { publisherCents: number; commissionCents: number } {
  return {
    publisherCents: shareOf(totalCents - commissionCents, units, bought),
    commissionCents: shareOf(commissionCents, units, bought),
  };
}

/** The advertiser's refund if the ad ends now: the price less what is earned. */
export function refundOf(price: Price, units: number, bought: number): number {
  const { publisherCents, commissionCents } = earnedOf(price, units, bought);
  return price.totalCents - publisherCents - commissionCents;
}

/** The refund after nothing, half and all of the plan was delivered. Checkout shows it before the payment. */
export function refundExamples(price: Price, plan: AdPlan): { none: number; half: number; all: number } {
  const bought = unitsBought(plan);
  const after = (units: number) => refundOf(price, units, bought);
  return { none: after(0), half: after(Math.floor(bought / 2)), all: after(bought) };
}

/**
 * The cost of a delivery per thousand impressions (CPM) and per click (CPC), and its click-through rate (CTR). One rule for
 * advertisers, publishers, reports and plans. [FIG-05]
 */
import { divideHalfUp } from '../money.ts';

export type Delivery = { impressions: number; clicks: number; amountCents: number };

export type UnitCosts = {
  /** In cents per 1,000 impressions; null without impressions. */
  cpmCents: number | null;
  /** In cents per click; null without clicks. */
  cpcCents: number | null;
  /** Clicks per impression, such as 0.025; null without impressions. */
  ctr: number | null;
};

/** Costs are rounded half up to the cent, negative ones by their size. They are negative if more was taken back than delivered. */
export function unitCostsOf({ impressions, clicks, amountCents }: Delivery): UnitCosts {
  return {
    cpmCents: costOf(amountCents * 1000, impressions),
    cpcCents: costOf(amountCents, clicks),
    ctr: impressions > 0 ? clicks / impressions : null,
  };
}

// A withdrawal can leave an hour with fewer events than none.
function costOf(cents: number, units: number): number | null {
  if (units <= 0) return null;
  const cost = divideHalfUp(Math.abs(cents), units);
  return cents < 0 ? 0 - cost : cost;
}

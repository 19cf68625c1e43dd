import { type AdPlan, unitPriceCents } from '../inventory/pricing.ts';
import type { AudienceShare } from './audience.ts';
import type { Forecast } from './forecast.ts';
import { type Candidate, needPerDay, PACING_DAYS, weigh } from './choose.ts';

/** The views that a zone has for one more ad, computed by the same rule that will choose it. */
export type Availability = {
  /** The views per day that the ad would get. */
  yoursPerDay: number;
  /** Days until a quota would be delivered; null for a per-day ad, and for a quota that no views are left for. */
  days: number | null;
};

/** `forecast` is the number of views per day that the zone is expected to have; `others` are its live ads. */
export function availabilityOf(
  own: Candidate,
  others: readonly Candidate[],
  forecast: number,
  nowMs: number,
): Availability {
  const weights = weigh([...others, own], forecast, nowMs);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // Nobody gets a share of a zone without views, or one whose quotas are all delivered.
  const yoursPerDay = total === 0 ? 0 : (forecast * (weights.at(-1) as number)) / total;
  const need = needPerDay(own, nowMs);
  if (need === 0) return { yoursPerDay, days: 0 };
  // A quota of exactly six days must not need another one because of a rounding error.
  const days =
    need === null || yoursPerDay === 0 ? null : Math.ceil((PACING_DAYS * need) / yoursPerDay - 1e-9);
  return { yoursPerDay, days };
}

/**
 * The counted views that a day of a per-day ad needs to be delivered: half of the low end of the zone's range, as far as it
 * is this ad's part, and at least one. `yoursPerDay` is the ad's part of the likely views, and `within` the part of these that
 * is within its limits: all, if that is not measured. [DEL-45, FORE-301]
 */
export function neededViews(
  { viewsPerDay: { low, likely } }: Forecast,
  yoursPerDay: number,
  within: Pick<AudienceShare, 'most'> | null,
): number {
  const part = (likely > 0 ? Math.min(1, yoursPerDay / likely) : 1) * (within?.most ?? 1);
  // A share of exactly one third must not need another view because of a rounding error.
  return Math.max(1, Math.ceil((low * part) / 2 - 1e-9));
}

/** Whether a quota that takes this many days is late, because the zone has sold more than its traffic. */
export function isOversold(days: number): boolean {
  return days > PACING_DAYS * 1.1;
}

/** Prices in cents; null where the pricing model does not allow them. */
export type UnitCosts = { costPerThousand: number | null; costPerClick: number | null };

/** The price of 1,000 views or of a click. For an ad paid per day, the views are an expectation. */
export function unitCosts(priceCents: number, plan: AdPlan, yoursPerDay: number): UnitCosts {
  switch (plan.pricingModel) {
    case 'per_day': {
      // With less than one view in two days, a price for 1,000 of them would say nothing.
      const views = yoursPerDay < 0.5 ? 0 : yoursPerDay * plan.duration;
      return {
        costPerThousand: views === 0 ? null : Math.round((priceCents * 1000) / views),
        costPerClick: null,
      };
    }
    case 'per_impression':
      return { costPerThousand: unitPriceCents(priceCents, plan), costPerClick: null };
    case 'per_click':
      return { costPerThousand: null, costPerClick: unitPriceCents(priceCents, plan) };
  }
}

import { divideHalfUp } from '../money.ts';

export const PRICING_MODELS = ['per_day', 'per_impression', 'per_click'] as const;
export type PricingModel = (typeof PRICING_MODELS)[number];

/** What one purchase buys. Amounts are fixed in the ad when it is submitted (OP-050). */
export type AdPlan =
  | { pricingModel: 'per_day'; duration: number; impressions: null; clicks: null }
  | { pricingModel: 'per_impression'; duration: null; impressions: number; clicks: null }
  | { pricingModel: 'per_click'; duration: null; impressions: null; clicks: number };

type PlanColumns = {
  pricingModel: PricingModel;
  duration: number | null;
  impressions: number | null;
  clicks: number | null;
};

/** Reads the plan out of a row's four columns; throws where the database would have refused the row. */
export function planOf(row: PlanColumns): AdPlan {
  const { pricingModel, duration, impressions, clicks } = row;
  if (pricingModel === 'per_day' && duration !== null) {
    return { pricingModel, duration, impressions: null, clicks: null };
  }
  if (pricingModel === 'per_impression' && impressions !== null) {
    return { pricingModel, duration: null, impressions, clicks: null };
  }
  if (pricingModel === 'per_click' && clicks !== null) {
    return { pricingModel, duration: null, impressions: null, clicks };
  }
  throw new RangeError(`A ${pricingModel} plan without its amount`);
}

/**
 * The unit price shown beside an option, in cents: per click price / clicks, per thousand impressions
 * price / impressions × 1000, per day price / duration (specification, section 2; OP-053). Rounded half up.
 */
export function unitPriceCents(priceCents: number, plan: AdPlan): number {
  switch (plan.pricingModel) {
    case 'per_day':
      return divideHalfUp(priceCents, plan.duration);
    case 'per_impression':
      return divideHalfUp(priceCents * 1000, plan.impressions);
    case 'per_click':
      return divideHalfUp(priceCents, plan.clicks);
  }
}

export const UNIT_NAMES: Record<PricingModel, string> = {
  per_day: 'per day',
  per_impression: 'per 1K impressions',
  per_click: 'per click',
};

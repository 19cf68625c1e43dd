import { divideHalfUp } from '../money.ts';

export const PRICING_MODELS = ['per_day', 'per_impression', 'per_click'] as const;
export type PricingModel = (typeof PRICING_MODELS)[number];

/** The quantity that one purchase buys. It is fixed when the ad is submitted. [OP-050] */
export type AdPlan =
  | { pricingModel: 'per_day'; duration: number; impressions: null; clicks: null }
  | { pricingModel: 'per_impression'; duration: null; impressions: number; clicks: null }
  | { pricingModel: 'per_click'; duration: null; impressions: null; clicks: number };

export type PlanColumns = {
  pricingModel: PricingModel;
  duration: number | null;
  impressions: number | null;
  clicks: number | null;
};

/** Reads the plan from a row's four columns. Throws a RangeError for columns that the database does not allow. */
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
  throw new RangeError(`A ${pricingModel} plan has no quantity`);
}

/**
 * The unit price shown beside an option, in cents, rounded half up: price / clicks, price / impressions × 1000, or
 * price / duration. [CRE-14, OP-053]
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

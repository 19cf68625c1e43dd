import type { AdPlan } from '../inventory/pricing.ts';
import { DAY_MS, later } from '../time.ts';

/**
 * The end of a per-day ad: `duration` times 24 hours after its start, not calendar days [OP-062]. Null for quota ads,
 * which have no end until they are delivered [OP-063].
 */
export function endDate(plan: AdPlan, start: Date): Date | null {
  return plan.pricingModel === 'per_day' ? later(start, plan.duration * DAY_MS) : null;
}

/** Whether the ad has delivered everything that was bought. */
export function isComplete(
  plan: AdPlan,
  delivered: { impressions: number; clicks: number; endDate: Date | null },
  now: Date,
): boolean {
  switch (plan.pricingModel) {
    case 'per_day':
      return delivered.endDate !== null && now.getTime() >= delivered.endDate.getTime();
    case 'per_impression':
      return delivered.impressions >= plan.impressions;
    case 'per_click':
      return delivered.clicks >= plan.clicks;
  }
}

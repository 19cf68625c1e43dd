import type { AdPlan } from '../inventory/pricing.ts';
import { DAY_MS, later } from '../time.ts';

/**
 * When a per-day ad ends: exact instants, not calendar days (OP-062). Quota ads have no end before they are
 * delivered, so theirs is null (OP-063).
 */
export function endDate(plan: AdPlan, start: Date): Date | null {
  return plan.pricingModel === 'per_day' ? later(start, plan.duration * DAY_MS) : null;
}

/** Whether everything that was bought has been delivered at `now`. */
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

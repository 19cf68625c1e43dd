/** The views and clicks that an ad of a plan can expect, before it is booked. */
import type { AdPlan } from '../inventory/pricing.ts';

/** Days until a running ad with a goal ends at the latest. What was not delivered by then is refunded. */
const LONGEST_DAYS = 90;

export type Expected = {
  /** Null if the ad zone has no traffic figures. */
  views: number | null;
  /** Null if views or the click-through rate are not known. */
  clicks: number | null;
  days: number | null;
};

/** `viewsPerDay` is the part of the ad zone's views that one more ad gets; null if it is not known. */
export function expectedOf(plan: AdPlan, viewsPerDay: number | null, clickRate: number | null): Expected {
  const clicksOf = (views: number | null) =>
    views === null || clickRate === null ? null : Math.round(views * clickRate);
  const daysFor = (views: number | null) =>
    views === null || !viewsPerDay
      ? null
      : Math.min(LONGEST_DAYS, Math.max(1, Math.ceil(views / viewsPerDay)));
  switch (plan.pricingModel) {
    case 'per_day': {
      const views = viewsPerDay === null ? null : Math.round(viewsPerDay * plan.duration);
      return { views, clicks: clicksOf(views), days: plan.duration };
    }
    case 'per_impression':
      return {
        views: plan.impressions,
        clicks: clicksOf(plan.impressions),
        days: daysFor(plan.impressions),
      };
    case 'per_click': {
      const views = clickRate ? Math.round(plan.clicks / clickRate) : null;
      return { views, clicks: plan.clicks, days: daysFor(views) };
    }
  }
}

/**
 * The sums of several ads, and the longest time. A figure that is not known of any ad is null; of others, what is known is
 * summed up.
 */
export function expectedInAll(ads: readonly Expected[]): Expected {
  const known = (field: keyof Expected) => ads.flatMap((each) => each[field] ?? []);
  const sumOf = (numbers: readonly number[]) =>
    numbers.length === 0 ? null : numbers.reduce((total, each) => total + each, 0);
  const days = known('days');
  return {
    views: sumOf(known('views')),
    clicks: sumOf(known('clicks')),
    days: days.length === 0 ? null : Math.max(...days),
  };
}

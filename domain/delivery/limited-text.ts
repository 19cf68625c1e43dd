/** The forecast of an ad with limits, in words. */
import type { PricingModel } from '../inventory/pricing.ts';
import { twoDigits } from './forecast-text.ts';

/**
 * With fewer views a day than these, chance alone takes a day below half of them more often than once in a month, and then the
 * day is not paid for.
 */
export const FEW_VIEWS_A_DAY = 10;

/** The views a day within the limits, of those without; null as long as too few visitors were measured. */
export type LimitedViews = { likely: number; of: number } | null;

/** Such as 'about 22 of 130 views a day'. */
export function limitedText(limited: LimitedViews): string {
  if (limited === null) return 'We can’t say yet how many views';
  const { likely, of } = limited;
  const views = likely < 1 ? 'less than 1' : `about ${twoDigits(likely)}`;
  return `${views} of ${twoDigits(of)} views a day`;
}

/** Advice for a day with few views; null for an ad that does not pay for days. */
export function limitedAdvice(limited: LimitedViews, pricingModel: PricingModel): string | null {
  if (limited === null || limited.likely >= FEW_VIEWS_A_DAY || pricingModel !== 'per_day') return null;
  return 'Few views: a price per view fits better';
}

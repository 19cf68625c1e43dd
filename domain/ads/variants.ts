/** A second creative of a campaign: its states, its number in events, and the verdict between the two. */

export const VARIANT_STATUSES = ['pending', 'approved', 'rejected', 'removed'] as const;
export type VariantStatus = (typeof VARIANT_STATUSES)[number];

/** Why a second creative is no longer shown: its advertiser took it away, or its target is not the approved one. */
export const REMOVED_FOR = ['advertiser', 'changed', 'listed', 'not_public'] as const;
export type RemovedFor = (typeof REMOVED_FOR)[number];

/** How many second creatives a campaign can have one after the other. One character of a token names the creative. */
export const MAX_VARIANTS = 8;
/** The highest number that `creativeNumbers` gives. */
export const MAX_CREATIVE = 2 * MAX_VARIANTS;

/**
 * The numbers of the two creatives in tokens and events while the campaign's second creative number `number` is shown. The
 * first one has its own number for each, so that only what was counted at the same time is compared.
 */
export function creativeNumbers(number: number): { first: number; second: number } {
  return { first: 2 * number - 1, second: 2 * number };
}

/** Whether a creative's number in events names a second creative. */
export const isSecond = (creative: number): boolean => creative > 0 && creative % 2 === 0;

/** The number of the second creative that a creative's number in events names. */
export const secondNumber = (creative: number): number => creative / 2;

export type Shown = { impressions: number; clicks: number };

/** The probability of being wrong if there is no difference: 5 %, on both sides. */
const Z_95 = 1.959_963_984_540_054;
/** With fewer expected clicks, the normal distribution says nothing about them (Cochran's rule). */
const MIN_EXPECTED = 5;

/**
 * Which of two creatives has more clicks per impression by more than chance: the two-sided test of two proportions with a
 * pooled estimate, at 95 %. Null if chance explains the difference, or if the numbers are too small to tell.
 */
export function verdictOf(first: Shown, second: Shown): 'first' | 'second' | null {
  const impressions = first.impressions + second.impressions;
  const clicks = Math.min(first.clicks, first.impressions) + Math.min(second.clicks, second.impressions);
  const rate = clicks / impressions;
  const expected = Math.min(first.impressions, second.impressions) * Math.min(rate, 1 - rate);
  // Also false for NaN, without any impression.
  if (!(expected >= MIN_EXPECTED)) return null;
  const difference = first.clicks / first.impressions - second.clicks / second.impressions;
  const error = Math.sqrt(rate * (1 - rate) * (1 / first.impressions + 1 / second.impressions));
  if (Math.abs(difference) / error <= Z_95) return null;
  return difference > 0 ? 'first' : 'second';
}

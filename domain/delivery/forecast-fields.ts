/** How contracts show forecasts and measured figures. */
import { z } from 'zod';
import { BASES, type Forecast } from './forecast.ts';

const perDay = z.number().int().min(0);

/** The views per day that an ad zone can be sold with, and what this is based on. [FCST-01] */
export const forecast = z.object({
  basis: z.enum(BASES),
  viewsPerDay: z.object({ low: perDay, likely: perDay, high: perDay }),
});

export function roundForecast({ basis, viewsPerDay: { low, likely, high } }: Forecast): Forecast {
  return {
    basis,
    viewsPerDay: { low: Math.round(low), likely: Math.round(likely), high: Math.round(high) },
  };
}

/**
 * With fewer counted views, a CTR is too uncertain to show. Even with 1,000 views, 1% may be off by about half a
 * percentage point. [BROW-03]
 */
export const MIN_RATED_VIEWS = 1000;

const rate = z.number().min(0).max(1).nullable();

/** The measured figures of the last 28 whole days (UTC). A rate is null if there were too few reports to divide by. */
export const measured = z.object({
  /** The number of days since the first figures, at most 28. */
  days: z.number().int().min(1),
  /** The views of a usual day, including those that decisions without an ad would have brought. */
  viewsPerDay: perDay,
  /** Viewable impressions ÷ rendered impressions. */
  viewability: rate,
  /** Clicks ÷ viewable impressions, both counted, from MIN_RATED_VIEWS on. */
  clickRate: rate,
  /** Invalid traffic ÷ all reported views and clicks. */
  invalidShare: rate,
});
export type Measured = z.output<typeof measured>;

/** The sums of one or more zones. */
export type MeasuredSums = {
  days: number;
  viewsPerDay: number;
  rendered: number;
  viewable: number;
  views: number;
  clicks: number;
  /** Reported views and clicks, without those that came too late or twice. */
  judged: number;
  /** Those of `judged` that a rule filtered as invalid traffic. */
  invalid: number;
};

/** Adds up zones that were measured; null if there are none. */
export function measuredOf(zones: readonly MeasuredSums[]): Measured | null {
  if (zones.length === 0) return null;
  const sum = (field: keyof MeasuredSums) => zones.reduce((total, zone) => total + zone[field], 0);
  const share = (part: keyof MeasuredSums, whole: keyof MeasuredSums, min = 1) =>
    sum(whole) < min ? null : Math.min(1, sum(part) / sum(whole));
  return {
    days: Math.max(...zones.map(({ days }) => days)),
    viewsPerDay: Math.round(sum('viewsPerDay')),
    viewability: share('viewable', 'rendered'),
    clickRate: share('clicks', 'views', MIN_RATED_VIEWS),
    invalidShare: share('invalid', 'judged'),
  };
}

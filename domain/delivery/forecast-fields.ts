/** How contracts show forecasts and measured figures. */
import { z } from 'zod';
import { BASES, type Forecast } from './forecast.ts';
import { minVotes } from './votes.ts';

const perDay = z.number().int().min(0);

/** The views per day that an ad zone can be sold with, and what this is based on. */
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
 * percentage point.
 */
export const MIN_RATED_VIEWS = 1000;

const rate = z.number().min(0).max(1).nullable();

/**
 * The measured figures of the last 28 whole days (UTC). A rate is null if too few networks have reported to divide by. Ad zones
 * of a website with too few of them are left out of its shares.
 */
export const measured = z.object({
  /** The number of days since the first figures, at most 28. */
  days: z.number().int().min(1),
  /** The views of a usual day, including those that decisions without an ad would have brought. */
  viewsPerDay: perDay,
  /** Viewable impressions ÷ rendered impressions, of one impression for each network and week. */
  viewability: rate,
  /** Clicks ÷ viewable impressions, both counted, from MIN_RATED_VIEWS on. */
  clickRate: rate,
  /** Invalid traffic ÷ reported views and clicks, of one report for each network and week. */
  invalidShare: rate,
});
export type Measured = z.output<typeof measured>;

/** The sums of one or more zones. */
export type MeasuredSums = {
  days: number;
  viewsPerDay: number;
  /** The votes for a rendered ad, and those of them whose ad was viewable. */
  rendered: number;
  viewable: number;
  /** Counted views and clicks. */
  views: number;
  clicks: number;
  /** The votes for a reported view or click, and those of them that were filtered or withdrawn as invalid traffic. */
  judged: number;
  invalid: number;
};

/** Adds up zones that were measured; null if there are none. */
export function measuredOf(zones: readonly MeasuredSums[]): Measured | null {
  if (zones.length === 0) return null;
  const sum = (field: keyof MeasuredSums, among = zones) =>
    among.reduce((total, zone) => total + zone[field], 0);
  const shareOfVotes = (part: keyof MeasuredSums, whole: keyof MeasuredSums) => {
    const known = zones.filter((zone) => zone[whole] >= minVotes(zone.days));
    return known.length === 0 ? null : Math.min(1, sum(part, known) / sum(whole, known));
  };
  return {
    days: Math.max(...zones.map(({ days }) => days)),
    viewsPerDay: Math.round(sum('viewsPerDay')),
    viewability: shareOfVotes('viewable', 'rendered'),
    clickRate: sum('views') < MIN_RATED_VIEWS ? null : Math.min(1, sum('clicks') / sum('views')),
    invalidShare: shareOfVotes('invalid', 'judged'),
  };
}

import { DAY_MS, later } from '../time.ts';

/** How long after its last day an ad stays in the public archive (Digital Services Act, article 39). */
export const ARCHIVED_DAYS = 365;

/** What ended before this is archived no more. */
export function archivedSince(now: Date): Date {
  return later(now, -ARCHIVED_DAYS * DAY_MS);
}

/**
 * How many viewable impressions an ad had, as the public is told: two digits that matter, so that a visit more or less
 * shows nothing, and nobody can watch a campaign's every view.
 */
export function reachText(views: number): string {
  if (views < 100) return 'Fewer than 100 viewable impressions';
  const unit = 10 ** (Math.floor(Math.log10(views)) - 1);
  const rounded = Math.round(views / unit) * unit;
  return `About ${rounded.toLocaleString('en-US')} viewable impressions`;
}

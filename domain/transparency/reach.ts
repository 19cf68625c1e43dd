import { DAY_MS, later } from '../time.ts';

/** How long after its last day an ad stays in the public archive (Digital Services Act, article 39). [DEL-61] */
export const ARCHIVED_DAYS = 365;

/** Ads that ended before this instant are no longer in the archive. */
export function archivedSince(now: Date): Date {
  return later(now, -ARCHIVED_DAYS * DAY_MS);
}

/**
 * An ad's viewable impressions for the public archive, rounded to two significant digits, so that no one can follow a
 * campaign view by view. [DEL-62]
 */
export function reachText(views: number): string {
  if (views < 100) return 'Fewer than 100 viewable impressions';
  const unit = 10 ** (Math.floor(Math.log10(views)) - 1);
  const rounded = Math.round(views / unit) * unit;
  return `About ${rounded.toLocaleString('en-US')} viewable impressions`;
}

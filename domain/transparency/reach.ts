import { countText } from '../format.ts';
import { DAY_MS, later } from '../time.ts';

/** How long an ad stays in the public archive after its last day (Digital Services Act, article 39). */
export const ARCHIVED_DAYS = 365;

/** Ads that ended before this instant are no longer in the archive. */
export function archivedSince(now: Date): Date {
  return later(now, -ARCHIVED_DAYS * DAY_MS);
}

/**
 * The number of viewable impressions as the public archive shows it, rounded to two significant digits. A precise
 * number would make the single views of a campaign visible to the public.
 */
export function reachText(views: number): string {
  if (views < 100) return 'Fewer than 100 viewable impressions';
  const unit = 10 ** (Math.floor(Math.log10(views)) - 1);
  const rounded = Math.round(views / unit) * unit;
  return `About ${countText(rounded)} viewable impressions`;
}

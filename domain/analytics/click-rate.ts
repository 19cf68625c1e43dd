/** Finds hours in which a zone's click-through rate is unusual for the zone. [DEL-42] */

export type ViewsAndClicks = { views: number; clicks: number };

/** With fewer views, in the hour or in the time before, the rate is too uncertain to compare. */
export const MIN_VIEWS = 500;
/** An hour is compared with this many days before it. */
export const COMPARED_DAYS = 28;
/** In standard deviations. By chance alone, about one hour in 16,000 exceeds it. */
const UNUSUAL_DISTANCE = 4;

/**
 * How many standard deviations the hour's click-through rate is from that of the time before, by the pooled
 * two-proportion z-test. Returns 0 if there are no clicks at all, or as many clicks as views.
 */
export function distanceFromUsual(hour: ViewsAndClicks, before: ViewsAndClicks): number {
  const rate = (hour.clicks + before.clicks) / (hour.views + before.views);
  const deviation = Math.sqrt(rate * (1 - rate) * (1 / hour.views + 1 / before.views));
  return deviation > 0 ? (hour.clicks / hour.views - before.clicks / before.views) / deviation : 0;
}

/** Whether the hour has far more or far fewer clicks than chance explains. */
export function isUnusual(hour: ViewsAndClicks, before: ViewsAndClicks): boolean {
  if (hour.views < MIN_VIEWS || before.views < MIN_VIEWS) return false;
  return Math.abs(distanceFromUsual(hour, before)) >= UNUSUAL_DISTANCE;
}

/** Hours in which a zone's share of clicks is far from what is usual there (delivery brief, 2.3). */

export type Seen = { views: number; clicks: number };

/** Fewer views say nothing, of an hour and of what is usual. */
export const LEAST_VIEWS = 500;
/** How long before an hour decides what is usual. */
export const USUAL_DAYS = 28;
/** Standard deviations: by chance alone, one hour of sixteen thousand. */
const STANDS_OUT = 4;

/**
 * How many standard deviations the hour's click-through rate is from that of the time before: the z of two proportions,
 * pooled. 0 where there are no clicks at all, or nothing but clicks.
 */
export function distanceFromUsual(hour: Seen, before: Seen): number {
  const rate = (hour.clicks + before.clicks) / (hour.views + before.views);
  const deviation = Math.sqrt(rate * (1 - rate) * (1 / hour.views + 1 / before.views));
  return deviation > 0 ? (hour.clicks / hour.views - before.clicks / before.views) / deviation : 0;
}

/** Whether somebody should have a look: too many clicks, or so many views that as few clicks are no chance. */
export function standsOut(hour: Seen, before: Seen): boolean {
  if (hour.views < LEAST_VIEWS || before.views < LEAST_VIEWS) return false;
  return Math.abs(distanceFromUsual(hour, before)) >= STANDS_OUT;
}

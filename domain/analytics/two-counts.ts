/** Our count of a website beside that of its own analytics. */

/** A day with both counts. `pageViews` is null if the publisher has not stored any. */
export type CountedDay = { date: string; pageViews: number | null; requests: number };

export type Together = {
  /** The days that have both counts. */
  days: number;
  pageViews: number;
  requests: number;
  /** Requests per page view, less one: -0.1 if we counted a tenth less. Null without page views. */
  difference: number | null;
};

/** The sums of the days for which both counts are known, so that no gap looks like a difference. */
export function countTogether(days: readonly CountedDay[]): Together {
  const both = days.filter((day): day is CountedDay & { pageViews: number } => day.pageViews !== null);
  const pageViews = both.reduce((sum, day) => sum + day.pageViews, 0);
  const requests = both.reduce((sum, day) => sum + day.requests, 0);
  return {
    days: both.length,
    pageViews,
    requests,
    difference: pageViews > 0 ? requests / pageViews - 1 : null,
  };
}

/** Below this, in either direction, two ways of counting agree. */
export const AGREES = 0.05;

/** The known causes of fewer and of more ad requests than page views, in the order in which to check them. */
export const CAUSES = {
  fewer: [
    'Pages without this ad zone’s tag.',
    'Visitors who block ads. Analytics are blocked less often.',
    'Robots and data centers, which we leave out.',
    'Pages that change without loading anew. Analytics count each change, and the tag requests one ad.',
    'Hours in which the ad zone was paused, or its tag was missing.',
  ],
  more: [
    'Visitors who block analytics, or have not consented to it yet.',
    'Pages that your analytics leave out, or that load without its script.',
    'Your own visits, which many analytics leave out.',
    'An ad zone that stands on a page twice.',
  ],
  always: ['Days that begin at another time, if your analytics use another time zone.'],
} as const;

/** The causes that fit a difference; none if the counts agree. */
export function causesOf(difference: number): readonly string[] {
  if (Math.abs(difference) < AGREES) return [];
  return [...(difference < 0 ? CAUSES.fewer : CAUSES.more), ...CAUSES.always];
}

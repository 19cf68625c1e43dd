import { REASONS } from '../delivery/reasons.ts';
import type { CountingBucket, Reported } from './contract.ts';

export type CountingFigures = Omit<CountingBucket, 'start'>;

/** All reports, counted or not (the gross count). */
export function grossOf({ counted, uncounted }: Reported): number {
  return counted + lostOf({ uncounted });
}

/** All reports that were not counted, for any reason. */
export function lostOf({ uncounted }: Pick<Reported, 'uncounted'>): number {
  return uncounted.reduce((sum, { count }) => sum + count, 0);
}

/**
 * The share of rendered ads that were viewable, from 0 to 1 (the MRC's viewable rate); null if none was rendered. Both
 * numbers are gross, so they include invalid traffic, but without repeated reports.
 */
export function viewabilityOf({ rendered, views }: CountingFigures): number | null {
  const repeated = views.uncounted.find(({ reason }) => reason === 'duplicate')?.count ?? 0;
  return rendered === 0 ? null : Math.min(1, (grossOf(views) - repeated) / rendered);
}

/** Adds up all buckets. */
export function addUp(buckets: readonly CountingBucket[]): CountingFigures {
  const sum = (of: (bucket: CountingBucket) => number) =>
    buckets.reduce((total, bucket) => total + of(bucket), 0);
  const reported = (kind: 'views' | 'clicks'): Reported => ({
    counted: sum((bucket) => bucket[kind].counted),
    uncounted: REASONS.map((reason) => ({
      reason,
      count: sum((bucket) => bucket[kind].uncounted.find((each) => each.reason === reason)?.count ?? 0),
    })).filter(({ count }) => count > 0),
  });
  return {
    decisions: sum(({ decisions }) => decisions),
    rendered: sum(({ rendered }) => rendered),
    views: reported('views'),
    clicks: reported('clicks'),
    landings: {
      clicks: sum(({ landings }) => landings.clicks),
      landings: sum(({ landings }) => landings.landings),
    },
  };
}

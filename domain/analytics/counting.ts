import { REASONS } from '../delivery/reasons.ts';
import type { CountingBucket, Reported } from './contract.ts';

export type CountingFigures = Omit<CountingBucket, 'start'>;

/** Everything that was reported: gross. */
export function grossOf({ counted, uncounted }: Reported): number {
  return counted + lostOf({ uncounted });
}

/** What of it was not counted, for whatever reason. */
export function lostOf({ uncounted }: Pick<Reported, 'uncounted'>): number {
  return uncounted.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Which part of what was drawn had been viewable, from 0 to 1 (MRC: viewable rate); null where nothing was drawn.
 * Gross by gross, and no report twice: a robot's is left in on both sides.
 */
export function viewabilityOf({ rendered, views }: CountingFigures): number | null {
  const repeated = views.uncounted.find(({ reason }) => reason === 'duplicate')?.count ?? 0;
  return rendered === 0 ? null : Math.min(1, (grossOf(views) - repeated) / rendered);
}

/** All buckets in one. */
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
  };
}

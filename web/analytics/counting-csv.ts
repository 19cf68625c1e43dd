import { grossOf } from '#domain/analytics/counting.ts';
import type { CountingBucket, Reported } from '#domain/analytics/contract.ts';
import type { Step } from '#domain/analytics/days.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS, type Reason } from '#domain/delivery/reasons.ts';
import { csvOf } from '#domain/csv.ts';
import { dayHead } from './day-names.ts';

/** One row per bucket. Every reason has its column, even without events, so that all files have the same columns. */
export function countingCsv(buckets: readonly CountingBucket[], step: Step, dayStart: string): string {
  const reasons = (what: string) =>
    REASONS.map((reason) => `${what} not counted: ${REASON_TEXTS[reason].name}`);
  const header = [
    dayHead(step, dayStart),
    'Served',
    'Rendered',
    'Views reported',
    ...reasons('Views'),
    'Views counted',
    'Clicks reported',
    ...reasons('Clicks'),
    'Clicks counted',
    'Clicks measured for landings',
    'Landings',
  ];
  return csvOf(
    header,
    buckets.map(({ start, decisions, rendered, views, clicks, landings }) => [
      start,
      decisions,
      rendered,
      ...cellsOf(views),
      ...cellsOf(clicks),
      landings.clicks,
      landings.landings,
    ]),
  );
}

function cellsOf(reported: Reported): number[] {
  const countOf = (reason: Reason) => reported.uncounted.find((each) => each.reason === reason)?.count ?? 0;
  return [grossOf(reported), ...REASONS.map(countOf), reported.counted];
}

import { grossOf, lostOf } from '#domain/analytics/counting.ts';
import type { CountingBucket } from '#domain/analytics/contract.ts';
import type { Step, Days } from '#domain/analytics/days.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { longName, rangeName, STEP_NAMES } from './day-names.ts';

type CountingDaysProps = { buckets: readonly CountingBucket[]; range: Days & { step: Step } };

/** Reported, not counted and counted events, one row per day, week or month. */
export function CountingDays({ buckets, range }: CountingDaysProps) {
  const label = `Counted per ${range.step}, ${rangeName(range)}`;
  return (
    <div
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-control border border-line"
    >
      <Table label={label} rows={buckets} rowKey={({ start }) => start} columns={columnsOf(range.step)} />
    </div>
  );
}

function columnsOf(step: Step): Column<CountingBucket>[] {
  return [
    {
      header: STEP_NAMES[step],
      cell: ({ start }) => <span className="whitespace-nowrap">{longName(start, step)}</span>,
    },
    ...FIGURES,
  ];
}

const FIGURES: Column<CountingBucket>[] = [
  figure('Served', ({ decisions }) => decisions),
  figure('Rendered', ({ rendered }) => rendered),
  figure('Views reported', ({ views }) => grossOf(views)),
  figure('Views not counted', ({ views }) => lostOf(views)),
  figure('Views counted', ({ views }) => views.counted),
  figure('Clicks reported', ({ clicks }) => grossOf(clicks)),
  figure('Clicks not counted', ({ clicks }) => lostOf(clicks)),
  figure('Clicks counted', ({ clicks }) => clicks.counted),
];

function figure(header: string, valueOf: (bucket: CountingBucket) => number): Column<CountingBucket> {
  return { header, align: 'right', cell: (bucket) => formatCount(valueOf(bucket)) };
}

import type { Bucket, Side } from '#domain/analytics/contract.ts';
import { type Step, endOfBucket, type Days } from '#domain/analytics/days.ts';
import { TimeChart } from '#web/ui/chart/chart.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { longName, rangeName, shortName, STEP_NAMES } from './day-names.ts';
import {
  formatMetric,
  formatTick,
  metricName,
  METRICS,
  metricWord,
  valueOf,
  type Metric,
} from './metrics.ts';

type SeriesProps = {
  side: Side;
  buckets: readonly Bucket[];
  range: Days & { step: Step };
};

/** The selected metric over time. */
export function SeriesChart({
  side,
  buckets,
  range,
  metric,
  today,
}: SeriesProps & { metric: Metric; today: string }) {
  const { step } = range;
  const name = metricName(metric, side);
  const isOpen = ({ start }: Bucket) => endOfBucket(start, step) >= today;
  const isEmpty = buckets.every((bucket) => !valueOf(metric, bucket));
  return (
    <div className="relative">
      <TimeChart
        label={`${name} per ${step}, ${rangeName(range)}`}
        points={buckets.map((bucket) => ({
          key: bucket.start,
          name: shortName(bucket.start, step),
          // A day on which more was taken back than delivered has no bar.
          value: atLeastZero(valueOf(metric, bucket)),
          spoken: `${longName(bucket.start, step)}: ${formatMetric(metric, bucket)} ${metricWord(metric, side)}${isOpen(bucket) ? ' so far' : ''}`,
          isOpen: isOpen(bucket),
        }))}
        shape={metric === 'rate' || metric === 'cpm' || metric === 'cpc' ? 'line' : 'bars'}
        isWhole={metric === 'impressions' || metric === 'clicks'}
        formatTick={(value) => formatTick(metric, value)}
        renderTip={(index) => {
          const bucket = buckets[index];
          return bucket && <Tip {...{ side, bucket, step, metric }} isOpen={isOpen(bucket)} />;
        }}
      />
      {isEmpty && (
        <p className="pointer-events-none absolute inset-0 grid place-items-center pb-6 text-sm text-ink-soft">
          <span className="bg-surface px-3 py-1">No data for this period</span>
        </p>
      )}
    </div>
  );
}

const atLeastZero = (value: number | null) => (value === null ? null : Math.max(0, value));

type TipProps = { side: Side; bucket: Bucket; step: Step; metric: Metric; isOpen: boolean };

/** All metrics of one bucket; the charted metric is highlighted. */
function Tip({ side, bucket, step, metric, isOpen }: TipProps) {
  return (
    <>
      <p className="mb-1 font-medium">
        {longName(bucket.start, step)}
        {isOpen && <span className="font-normal text-ink-faint"> so far</span>}
      </p>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-0.5">
        {METRICS.map((each) => (
          <div
            key={each}
            className={each === metric ? 'contents font-medium text-ink' : 'contents text-ink-soft'}
          >
            <dt>{metricName(each, side)}</dt>
            <dd className="figures text-right">{formatMetric(each, bucket)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The same data as a table. */
export function SeriesTable({ side, buckets, range }: SeriesProps) {
  return (
    <ScrolledTable
      label={`Figures per ${range.step}, ${rangeName(range)}`}
      rows={buckets}
      columns={columnsOf(side, range.step)}
    />
  );
}

type ScrolledTableProps<Row> = { label: string; rows: readonly Row[]; columns: readonly Column<Row>[] };

/** A table in place of a chart, exactly as high as it. */
export function ScrolledTable<Row extends { start: string }>({
  label,
  rows,
  columns,
}: ScrolledTableProps<Row>) {
  return (
    <div
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
      tabIndex={0}
      className="h-60 overflow-auto rounded-control border border-line"
    >
      <Table label={label} rows={rows} rowKey={({ start }) => start} columns={columns} />
    </div>
  );
}

function columnsOf(side: Side, step: Step): Column<Bucket>[] {
  return [
    {
      header: STEP_NAMES[step],
      cell: ({ start }) => <span className="whitespace-nowrap">{longName(start, step)}</span>,
    },
    ...METRICS.map((metric) => ({
      header: metricName(metric, side),
      align: 'right' as const,
      cell: (bucket: Bucket) => formatMetric(metric, bucket),
    })),
    { header: 'Paid', align: 'right', cell: ({ paid }) => formatMoney(paid) },
  ];
}

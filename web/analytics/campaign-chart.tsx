import { useState } from 'react';
import type { AdTimes, Bucket } from '#domain/analytics/contract.ts';
import { endOfBucket, type Days, type Step } from '#domain/analytics/days.ts';
import { ChartFrame } from '#web/ui/chart/chart-frame.tsx';
import { TimeChart } from '#web/ui/chart/chart.tsx';
import { cn } from '#web/ui/cn.ts';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import type { Column } from '#web/ui/table.tsx';
import type { useAdTimes, useSeries } from './api.ts';
import { bucketOf, type Goal } from './campaign-figures.tsx';
import { longName, rangeName, shortName, STEP_NAMES, timezoneName } from './day-names.ts';
import { DayStart } from './day-start.tsx';
import { formatTick } from './metrics.ts';
import { ScrolledTable } from './series-view.tsx';

const SHOWN = ['impressions', 'clicks', 'conversions'] as const;
type Shown = (typeof SHOWN)[number];
const NAMES: Record<Shown, string> = { impressions: 'Views', clicks: 'Clicks', conversions: 'Conversions' };

type Point = Pick<Bucket, 'start' | 'impressions' | 'clicks' | 'amount'> & { conversions: number };

type CampaignChartProps = {
  series: ReturnType<typeof useSeries>;
  times: ReturnType<typeof useAdTimes>;
  goal: Goal;
  range: Days & { step: Step };
  today: string;
  timezone: string;
};

/**
 * The views, clicks or conversions of a campaign over time. What was bought is shown as a running total beside its goal,
 * everything else by the day, week or month.
 */
export function CampaignChart({ series, times, goal, range, today, timezone }: CampaignChartProps) {
  const [shown, setShown] = useState<Shown>('impressions');
  const points = series.data && times.data && pointsOf(series.data.buckets, times.data);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div role="group" aria-label="Chart" className="flex flex-wrap gap-1">
        {SHOWN.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === shown}
            onClick={() => setShown(each)}
            className={cn(
              'min-h-9 rounded-control px-3 text-sm font-medium',
              each === shown ? 'bg-accent-soft text-accent' : 'text-ink-soft hover:bg-sunken hover:text-ink',
            )}
          >
            {NAMES[each]}
          </button>
        ))}
      </div>
      <ChartFrame
        chart={
          points && (
            <Chart {...{ points, shown, goal: goal?.of === shown ? goal.value : null, range, today }} />
          )
        }
        table={
          points && (
            <ScrolledTable
              label={`Figures per ${range.step}, ${rangeName(range)}`}
              rows={points}
              columns={columnsOf(range.step)}
            />
          )
        }
        note={
          <>
            {rangeName(range)} · days in {timezoneName(timezone)}
            <DayStart timezone={timezone} start={series.data?.dayStart} />
          </>
        }
        isError={series.isError || times.isError}
        onRetry={() => {
          if (series.isError) void series.refetch();
          if (times.isError) void times.refetch();
        }}
      />
    </div>
  );
}

function pointsOf(buckets: readonly Bucket[], times: AdTimes): Point[] {
  const counts = buckets.map(() => 0);
  for (const { day, count } of times.conversions) {
    const at = bucketOf(buckets, day);
    if (at >= 0) counts[at] = (counts[at] ?? 0) + count;
  }
  return buckets.map(({ start, impressions, clicks, amount }, at) => ({
    start,
    impressions,
    clicks,
    amount,
    conversions: counts[at] ?? 0,
  }));
}

type ChartProps = {
  points: readonly Point[];
  shown: Shown;
  /** Set if what is shown was bought. */
  goal: number | null;
  range: CampaignChartProps['range'];
  today: string;
};

function Chart({ points, shown, goal, range, today }: ChartProps) {
  const { step } = range;
  const word = NAMES[shown].toLowerCase();
  const counts = points.map((point) => point[shown]);
  const values = goal === null ? counts : sumsOf(counts);
  const textOf = (index: number) =>
    goal === null
      ? `${formatCount(values[index])} ${word}`
      : `${formatCount(values[index])} of ${formatCount(goal)} ${word}`;
  const isOpen = (index: number) => endOfBucket(points[index]?.start ?? '', step) >= today;
  return (
    <TimeChart
      label={`${goal === null ? NAMES[shown] : `Cumulative ${word}`} per ${step}, ${rangeName(range)}`}
      points={points.map(({ start }, index) => ({
        key: start,
        name: shortName(start, step),
        // A day on which more was taken back than delivered has no bar.
        value: Math.max(0, values[index] ?? 0),
        spoken: `${longName(start, step)}: ${textOf(index)}${isOpen(index) ? ' so far' : ''}`,
        isOpen: isOpen(index),
      }))}
      shape={goal === null ? 'bars' : 'line'}
      isWhole
      formatTick={(value) => formatTick('impressions', value)}
      {...(goal !== null && { goal: { value: goal, label: `Goal: ${formatCount(goal)} ${word}` } })}
      renderTip={(index) => (
        <>
          <p className="mb-1 font-medium">{longName(points[index]?.start ?? '', step)}</p>
          <p className="figures text-ink-soft">{textOf(index)}</p>
        </>
      )}
    />
  );
}

/** Running totals. */
function sumsOf(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

function columnsOf(step: Step): Column<Point>[] {
  return [
    {
      header: STEP_NAMES[step],
      cell: ({ start }) => <span className="whitespace-nowrap">{longName(start, step)}</span>,
    },
    ...SHOWN.map((each) => ({
      header: NAMES[each],
      align: 'right' as const,
      cell: (point: Point) => formatCount(point[each]),
    })),
    { header: 'Cost', align: 'right', cell: ({ amount }) => formatMoney(amount) },
  ];
}

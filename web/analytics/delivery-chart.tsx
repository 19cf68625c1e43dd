import type { ReactNode } from 'react';
import type { Bucket } from '#domain/analytics/contract.ts';
import { bestStep, dayIn, type Days, endOfBucket } from '#domain/analytics/days.ts';
import { ChartFrame } from '#web/ui/chart/chart-frame.tsx';
import { TimeChart } from '#web/ui/chart/chart.tsx';
import { FigureGrid } from '#web/ui/figure-grid.tsx';
import { formatCount } from '#web/ui/format/format.ts';
import { useSeries } from './api.ts';
import { Counting } from './counting.tsx';
import { Position } from './position.tsx';
import { longName, rangeName, shortName, timezoneName } from './day-names.ts';
import { DayStart } from './day-start.tsx';
import { formatMetric, formatTick, metricName, METRICS } from './metrics.ts';
import { SeriesTable } from './series-view.tsx';
import { useToday } from './use-range.ts';

type DeliveryChartProps = {
  /** The campaign's public id. */
  campaign: string;
  /** When the campaign was paid for. */
  start: string;
  /** When the campaign was completed; null while it runs. */
  end: string | null;
  /** The amount that was bought; null for a campaign that is paid per day. */
  goal: { of: 'impressions' | 'clicks'; value: number } | null;
  timezone: string;
  /** The landings and conversions, from web/ads. */
  results: ReactNode;
  /** The creatives, from web/ads; absent in a dialog. */
  creatives?: ReactNode;
};

/**
 * The results of a campaign, then its delivery over time, its place and its creatives, and then how it was counted. The chart
 * shows the cumulative delivery against the goal; for a campaign that is paid per day, the impressions of each day.
 */
export function DeliveryChart({
  campaign,
  start,
  end,
  goal,
  timezone,
  results,
  creatives,
}: DeliveryChartProps) {
  const today = useToday(timezone);
  const last = end === null ? today : dayIn(timezone, new Date(end));
  const first = dayIn(timezone, new Date(start));
  const days = { from: first < last ? first : last, to: last };
  const range = { ...days, step: bestStep(days) };
  const series = useSeries({ side: 'buyer', campaign, ...range });
  const buckets = series.data?.buckets;
  return (
    <>
      <Totals campaign={campaign} days={{ from: days.from, to: today }} />
      {results}
      <ChartFrame
        chart={buckets && <Chart {...{ buckets, goal, range, today }} />}
        table={buckets && <SeriesTable side="buyer" {...{ buckets, range }} />}
        note={
          <>
            {rangeName(days)} · days in {timezoneName(timezone)}
            <DayStart timezone={timezone} start={series.data?.dayStart} />
          </>
        }
        isError={series.isError}
        onRetry={() => void series.refetch()}
      />
      <Position campaign={campaign} />
      {creatives}
      <Counting query={{ side: 'buyer', campaign, ...range }} />
    </>
  );
}

/**
 * The figures of the whole campaign up to today, as in its row of the breakdown: traffic can be withdrawn after the end.
 * While the campaign runs, this is the query of the chart.
 */
function Totals({ campaign, days }: { campaign: string; days: Days }) {
  const { data } = useSeries({ side: 'buyer', campaign, ...days, step: bestStep(days) });
  return (
    <FigureGrid
      figures={METRICS.map((metric) => [
        metricName(metric, 'buyer'),
        data ? formatMetric(metric, data.totals) : '...',
      ])}
    />
  );
}

type ChartProps = {
  buckets: readonly Bucket[];
  goal: DeliveryChartProps['goal'];
  range: { from: string; to: string; step: ReturnType<typeof bestStep> };
  today: string;
};

function Chart({ buckets, goal, range, today }: ChartProps) {
  const { step } = range;
  const of = goal?.of ?? 'impressions';
  const values = goal ? sumsOf(buckets.map((bucket) => bucket[of])) : buckets.map((bucket) => bucket[of]);
  const textOf = (index: number) =>
    goal
      ? `${formatCount(values[index])} of ${formatCount(goal.value)} ${of}`
      : `${formatCount(values[index])} ${of}`;
  const isOpen = (index: number) => endOfBucket(buckets[index]?.start ?? '', step) >= today;
  return (
    <TimeChart
      label={`${goal ? `Cumulative ${of} per` : `Impressions per`} ${step}, ${rangeName(range)}`}
      points={buckets.map(({ start }, index) => ({
        key: start,
        name: shortName(start, step),
        value: values[index] ?? 0,
        spoken: `${longName(start, step)}: ${textOf(index)}${isOpen(index) ? ' so far' : ''}`,
        isOpen: isOpen(index),
      }))}
      shape={goal ? 'line' : 'bars'}
      isWhole
      formatTick={(value) => formatTick(of, value)}
      goal={goal ? { value: goal.value, label: `Goal: ${formatCount(goal.value)} ${of}` } : undefined}
      renderTip={(index) => (
        <>
          <p className="mb-1 font-medium">{longName(buckets[index]?.start ?? '', step)}</p>
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

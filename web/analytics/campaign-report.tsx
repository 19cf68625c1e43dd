import { addUp, grossOf } from '#domain/analytics/counting.ts';
import { bestStep, dayIn, type Days } from '#domain/analytics/days.ts';
import type { Results } from '#domain/delivery/conversions-contract.ts';
import { addDays } from '#domain/time.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatCount } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useAdTimes, useCounting, useSeries, type CountingQuery } from './api.ts';
import { CampaignChart } from './campaign-chart.tsx';
import { CampaignFigures, type Goal } from './campaign-figures.tsx';
import { Counting } from './counting.tsx';
import { HoursTable } from './hours-table.tsx';
import { Position } from './position.tsx';
import { useToday } from './use-range.ts';

export type ReportedCampaign = {
  /** The campaign's public id. */
  campaign: string;
  /** When it began, or was paid for if it begins later. */
  start: string;
  /** When the campaign was completed; null while it runs. */
  end: string | null;
  goal: Goal;
  timezone: string;
};

/** The days over which figures are compared. */
const WEEK = 7;

/** The course of a campaign, and how its views were counted. */
export function CampaignCourse({ campaign, start, end, goal, timezone }: ReportedCampaign) {
  const today = useToday(timezone);
  const days = daysOf({ start, end, timezone, today });
  const range = { ...days, step: bestStep(days) };
  const query = { side: 'buyer', campaign, ...range } as const;
  const series = useSeries(query);
  const times = useAdTimes(campaign);
  return (
    <Card aria-label="Over time" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <CampaignChart {...{ series, times, goal, range, today, timezone }} />
      <Counted query={query} />
    </Card>
  );
}

/** Where and when a campaign was seen. */
export function WhereAndWhen({ campaign }: { campaign: string }) {
  const times = useAdTimes(campaign);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 lg:grid-cols-2">
      <Card aria-label="Where" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <CardHeader title="Where" />
        <Position campaign={campaign} />
      </Card>
      <Card aria-label="When" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <CardHeader title="When" />
        {times.data ? (
          <HoursTable times={times.data} />
        ) : times.isError ? (
          <LoadError what="the hours" onRetry={() => void times.refetch()} />
        ) : (
          <Skeleton className="h-48" />
        )}
      </Card>
    </div>
  );
}

type DaysOf = Pick<ReportedCampaign, 'start' | 'end' | 'timezone'> & { today: string };

/** The days of the campaign so far. */
function daysOf({ start, end, timezone, today }: DaysOf): Days {
  const last = end === null ? today : dayIn(timezone, new Date(end));
  const first = dayIn(timezone, new Date(start));
  return { from: first < last ? first : last, to: last };
}

/**
 * The five figures up to today, because traffic can be withdrawn after the end. While the campaign runs, they come with
 * the query of the chart.
 */
export function CampaignTotals({ results, ...of }: ReportedCampaign & { results: Results | undefined }) {
  const { campaign, goal, timezone } = of;
  const today = useToday(timezone);
  const { from, to } = daysOf({ ...of, today });
  const yesterday = addDays(today, -1);
  const last = to < yesterday ? to : yesterday;
  const week = { from: addDays(last, 1 - WEEK), to: last };
  const before = { from: addDays(week.from, -WEEK), to: addDays(week.from, -1) };
  const query = { side: 'buyer', campaign } as const;
  const whole = useSeries({ ...query, from, to: today, step: bestStep({ from, to: today }) }).data?.totals;
  const recent = useSeries({ ...query, ...week, step: 'day' }).data;
  const times = useAdTimes(campaign).data;
  const conversionsIn = ({ from, to }: Days) =>
    times?.conversions.reduce((sum, { day, count }) => sum + (day >= from && day <= to ? count : 0), 0);
  return (
    <CampaignFigures
      figures={{ whole, recent: recent?.totals, before: recent?.previous }}
      conversions={{
        whole: results?.conversions,
        recent: conversionsIn(week),
        before: conversionsIn(before),
      }}
      results={results}
      goal={goal}
    />
  );
}

/** One line that says how many of the reported views were counted, above the details. */
function Counted({ query }: { query: CountingQuery }) {
  const { data } = useCounting(query);
  const sums = data && addUp(data.buckets);
  return (
    <div className="grid gap-1 border-t border-line pt-3">
      <p className="text-sm">
        {sums
          ? `Counted ${formatCount(sums.views.counted)} of ${formatCount(grossOf(sums.views))} reported views`
          : 'Counted views'}
      </p>
      <Counting query={query} />
    </div>
  );
}

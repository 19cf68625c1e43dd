import { useRef, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { Link } from 'wouter';
import { countDays, daysBefore } from '#domain/analytics/days.ts';
import { GROUPINGS } from '#domain/analytics/groupings.ts';
import { CardHeader } from '#web/ui/card.tsx';
import { ChartFrame } from '#web/ui/chart/chart-frame.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { Tabs } from '#web/ui/tabs.tsx';
import { useMedia } from '#web/ui/use-media.ts';
import { Breakdown, GROUPING_NAMES } from './breakdown.tsx';
import { Counting } from './counting.tsx';
import { rangeName, timezoneName } from './day-names.ts';
import { DayStart } from './day-start.tsx';
import { ReportDownload } from './report-download.tsx';
import { ReportMetrics } from './report-metrics.tsx';
import { CustomDays, RangeSelects } from './report-range.tsx';
import { SeriesChart, SeriesTable } from './series-view.tsx';
import { useReport, type Filter, type Report, type ReportOf } from './use-report.ts';

type FiguresReportProps = ReportOf & {
  title: string;
  description: ReactNode;
  /** Shown instead of the report until there are figures to report. */
  empty: ReactNode;
};

/** Figures over time and their breakdown. It expects a card without padding around it. */
export function FiguresReport({ title, description, empty, ...of }: FiguresReportProps) {
  const report = useReport(of);
  const { range, changeRange, today, filters, toggleFilter, series } = report;
  const top = useRef<HTMLDivElement>(null);
  const isEmpty = of.hasHistory === false;

  function removeFilter(filter: Filter) {
    toggleFilter(filter);
    // The pressed button disappears with its filter, so move the focus to where it was.
    top.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <CardHeader
        title={title}
        description={description}
        actions={
          !isEmpty && (
            <>
              <RangeSelects range={range} onChange={changeRange} />
              <ReportDownload report={report} />
            </>
          )
        }
        className="p-inset pb-4"
      />
      {isEmpty ? (
        <div className="px-inset pb-inset">{empty}</div>
      ) : (
        <>
          <div ref={top} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-4 px-inset outline-none">
            {range.preset === 'custom' && <CustomDays range={range} onChange={changeRange} today={today} />}
            {filters.length > 0 && <Chips filters={filters} onRemove={removeFilter} />}
            <ReportMetrics
              side={of.side}
              totals={series.data?.totals}
              previous={series.data?.previous}
              chosen={report.metric}
              onChoose={report.setMetric}
            />
            <Periods report={report} />
            <OverTime report={report} timezone={of.timezone} />
            <Counting query={report.query} />
          </div>
          <FoldedBreakdown report={report} />
        </>
      )}
    </>
  );
}

function Chips({ filters, onRemove }: { filters: readonly Filter[]; onRemove: (filter: Filter) => void }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-ink-soft">
      Only
      {filters.map((filter) => (
        <button
          key={filter.by}
          type="button"
          onClick={() => onRemove(filter)}
          className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-full bg-accent-soft px-3 py-0.5 text-accent hover:underline"
        >
          <span className="min-w-0 truncate">{filter.name}</span>
          <X aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="sr-only">, remove filter</span>
        </button>
      ))}
    </p>
  );
}

/** The days that the totals are compared with, and the payments of the period, which the totals do not follow. */
function Periods({ report: { range, side, series } }: { report: Report }) {
  const paid = series.data?.totals.paid;
  const days = countDays(range);
  return (
    <p className="text-xs text-ink-soft">
      Compared with the {days === 1 ? 'day' : `${formatCount(days)} days`} before,{' '}
      {rangeName(daysBefore(range))}. {side === 'buyer' ? 'Spend counts' : 'Earnings count'} on the day of
      delivery. {side === 'buyer' ? 'You paid in this period:' : 'Your part of the payments in this period:'}{' '}
      <span className="figures">{paid === undefined ? '...' : formatMoney(paid)}</span>
    </p>
  );
}

function OverTime({ report, timezone }: { report: Report; timezone: string }) {
  const { series, range, side, metric, today } = report;
  const buckets = series.data?.buckets;
  return (
    <ChartFrame
      chart={buckets && <SeriesChart {...{ side, buckets, range, metric, today }} />}
      table={buckets && <SeriesTable {...{ side, buckets, range }} />}
      note={
        <>
          {rangeName(range)} · days in {timezoneName(timezone)} ·{' '}
          <Link href="/settings" className="underline underline-offset-2 hover:text-ink">
            change
          </Link>
          <DayStart timezone={timezone} start={series.data?.dayStart} />
        </>
      }
      isOutdated={series.isPlaceholderData}
      isError={series.isError}
      onRetry={() => void series.refetch()}
    />
  );
}

/** Folded on a phone, where its rows would push the rest of the page down. */
function FoldedBreakdown({ report }: { report: Report }) {
  const isNarrow = useMedia('(width < 48rem)');
  if (!isNarrow) return <BreakdownTabs report={report} />;
  return (
    <div className="px-inset pb-4">
      <Disclosure label="By campaign, ad zone and website">
        {() => (
          <div className="-mx-inset">
            <BreakdownTabs report={report} />
          </div>
        )}
      </Disclosure>
    </div>
  );
}

function BreakdownTabs({ report }: { report: Report }) {
  const { side, by, setBy, breakdown, filters, toggleFilter } = report;
  return (
    <Tabs
      label="Breakdown by"
      value={by}
      onChange={(value) => setBy(GROUPINGS.find((grouping) => grouping === value) ?? 'campaign')}
      className="mt-2 gap-0! pb-2 [&>[role=tablist]]:px-inset"
      tabs={GROUPINGS.map((grouping) => ({
        value: grouping,
        label: GROUPING_NAMES[grouping],
        content: (
          <Breakdown side={side} by={grouping} rows={breakdown} filters={filters} onPick={toggleFilter} />
        ),
      }))}
    />
  );
}

import { useState } from 'react';
import type { BreakdownRow, Grouping, Side } from '#domain/analytics/contract.ts';
import type { PagedList } from '#web/http/paged-list.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { formatMetric, metricName, valueOf, type Metric } from './metrics.ts';
import type { Filter } from './use-report.ts';

type BreakdownProps = {
  side: Side;
  by: Grouping;
  rows: PagedList<BreakdownRow>;
  metric: Metric;
  filters: readonly Filter[];
  onPick: (filter: Filter) => void;
};

export const GROUPING_NAMES: Record<Grouping, string> = {
  campaign: 'Campaigns',
  zone: 'Ad zones',
  website: 'Websites',
};

/** The table starts collapsed, so that it does not push the rest of the dashboard down. */
const COLLAPSED_ROWS = 5;

/** Splits the figures by campaign, ad zone or website. Selecting a row filters the whole report by it. */
export function Breakdown({ side, by, rows, metric, filters, onPick }: BreakdownProps) {
  const [isExpanded, setExpanded] = useState(false);
  const what = GROUPING_NAMES[by].toLowerCase();
  if (rows.isError) return <LoadError what={`the ${what}`} onRetry={rows.retry} />;
  if (!rows.items) return <Skeleton className="mx-inset my-5 h-80" />;
  if (rows.items.length === 0) {
    return (
      <p className="px-inset py-8 text-center text-ink-soft">
        No {what} had impressions, clicks or payments in this period. Try a longer one.
      </p>
    );
  }
  const shown = isExpanded ? rows.items : rows.items.slice(0, COLLAPSED_ROWS);
  return (
    <div className={cn(rows.isOutdated && 'pointer-events-none opacity-60')} aria-busy={rows.isOutdated}>
      <Table
        label={GROUPING_NAMES[by]}
        rows={shown}
        rowKey={(row) => row.publicId}
        cards
        middle
        columns={columnsOf(rows.items, { side, by, metric, filters, onPick })}
      />
      {!isExpanded && rows.items.length > COLLAPSED_ROWS && (
        <Button variant="secondary" size="sm" className="mx-inset my-4" onClick={() => setExpanded(true)}>
          {rows.hasMore ? `Show more ${what}` : `Show all ${rows.count} ${what}`}
        </Button>
      )}
      {isExpanded && rows.hasMore && (
        <Button
          variant="secondary"
          size="sm"
          className="mx-inset my-4"
          busy={rows.isLoadingMore}
          onClick={rows.loadMore}
        >
          Show more {what}
        </Button>
      )}
    </div>
  );
}

function columnsOf(
  rows: readonly BreakdownRow[],
  { side, by, metric, filters, onPick }: Omit<BreakdownProps, 'rows'>,
): Column<BreakdownRow>[] {
  // A rate cannot be split into parts, so its bars show impressions instead.
  const barMetric = metric === 'rate' ? 'impressions' : metric;
  const max = Math.max(...rows.map((row) => valueOf(barMetric, row) ?? 0));
  return [
    {
      header: GROUPING_NAMES[by].slice(0, -1),
      className: 'md:w-1/2',
      cell: (row) => (
        <Name
          row={row}
          share={max > 0 ? Math.max(0, (valueOf(barMetric, row) ?? 0) / max) : 0}
          isPicked={filters.some(({ publicId }) => publicId === row.publicId)}
          onPick={() => onPick({ by, publicId: row.publicId, name: row.name })}
        />
      ),
    },
    figure('impressions', 'start', side),
    figure('clicks', 'end', side),
    figure('rate', 'start', side),
    figure('amount', 'end', side),
  ];
}

function figure(metric: Metric, card: 'start' | 'end', side: Side): Column<BreakdownRow> {
  const name = metricName(metric, side);
  return {
    header: name,
    align: 'right',
    card,
    cell: (row) => (
      <span className="whitespace-nowrap">
        {formatMetric(metric, row)}
        <span className="text-ink-faint md:hidden"> {name.toLowerCase()}</span>
      </span>
    ),
  };
}

type NameProps = { row: BreakdownRow; share: number; isPicked: boolean; onPick: () => void };

function Name({ row, share, isPicked, onPick }: NameProps) {
  const { name, place, creative } = row;
  return (
    <button
      type="button"
      aria-pressed={isPicked}
      title={isPicked ? 'Remove filter' : 'Show only this'}
      onClick={onPick}
      className="relative flex w-full items-center gap-3 overflow-hidden rounded-control p-1.5 text-left hover:bg-sunken"
    >
      <span
        aria-hidden="true"
        style={{ width: `${share * 100}%` }}
        className="absolute inset-y-0 left-0 rounded-control bg-accent-soft/70"
      />
      {creative && <Thumbnail kind={creative.adType} src={creative.imageUrl} />}
      <span className="relative min-w-0">
        <span dir="auto" className="line-clamp-2 font-medium wrap-anywhere">
          {name}
        </span>
        {place && (
          <span className="line-clamp-1 wrap-anywhere text-ink-soft">
            <bdi>{place}</bdi>
          </span>
        )}
      </span>
    </button>
  );
}

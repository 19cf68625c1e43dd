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
  zone: 'Zones',
  website: 'Websites',
};

/** Rows before it is asked for all: what stands below should not be pushed away. */
const FIRST = 5;

/** Who has which part in the figures. A row narrows the whole report to what it names. */
export function Breakdown({ side, by, rows, metric, filters, onPick }: BreakdownProps) {
  const [isWhole, setWhole] = useState(false);
  const what = GROUPING_NAMES[by].toLowerCase();
  if (rows.isError) return <LoadError what={`the ${what}`} onRetry={rows.retry} />;
  if (!rows.items) return <Skeleton className="m-5 h-80 sm:mx-6" />;
  if (rows.items.length === 0) {
    return (
      <p className="px-5 py-8 text-center text-sm text-ink-soft sm:px-6">
        No {what} were seen, clicked or paid for in these days.
      </p>
    );
  }
  const shown = isWhole ? rows.items : rows.items.slice(0, FIRST);
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
      {!isWhole && rows.items.length > FIRST && (
        <Button variant="secondary" size="sm" className="m-4" onClick={() => setWhole(true)}>
          {rows.hasMore ? `Show more ${what}` : `Show all ${rows.count} ${what}`}
        </Button>
      )}
      {isWhole && rows.hasMore && (
        <Button
          variant="secondary"
          size="sm"
          className="m-4"
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
  // Of a rate there are no parts: its bars show how much was seen.
  const drawn = metric === 'rate' ? 'impressions' : metric;
  const most = Math.max(...rows.map((row) => valueOf(drawn, row) ?? 0));
  return [
    {
      header: GROUPING_NAMES[by].slice(0, -1),
      className: 'md:w-1/2',
      cell: (row) => (
        <Name
          row={row}
          share={most > 0 ? Math.max(0, (valueOf(drawn, row) ?? 0) / most) : 0}
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
      title={isPicked ? 'Show all again' : 'Show only this'}
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

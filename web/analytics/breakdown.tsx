import { useState } from 'react';
import type { BreakdownRow, Side } from '#domain/analytics/contract.ts';
import type { Grouping } from '#domain/analytics/groupings.ts';
import type { PagedList } from '#web/http/paged-list.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { formatMetric, metricName, metricWord, type Metric } from './metrics.ts';
import type { Filter } from './use-report.ts';

type BreakdownProps = {
  side: Side;
  by: Grouping;
  rows: PagedList<BreakdownRow>;
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
export function Breakdown({ side, by, rows, filters, onPick }: BreakdownProps) {
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
        columns={columnsOf(rows.items, { side, by, filters, onPick })}
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
  { side, by, filters, onPick }: Omit<BreakdownProps, 'rows'>,
): Column<BreakdownRow>[] {
  const max = Math.max(...rows.map(({ impressions }) => impressions));
  return [
    {
      header: GROUPING_NAMES[by].slice(0, -1),
      className: 'md:w-2/5',
      cell: (row) => (
        <Name
          row={row}
          isPicked={filters.some(({ publicId }) => publicId === row.publicId)}
          onPick={() => onPick({ by, publicId: row.publicId, name: row.name })}
        />
      ),
    },
    {
      ...figure('impressions', 'start', side),
      className: 'md:w-32',
      cell: (row) => <Impressions count={row.impressions} max={max} />,
    },
    figure('clicks', 'end', side),
    figure('rate', 'start', side),
    figure('cpm', 'end', side),
    figure('cpc', 'start', side),
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
      <span className="md:whitespace-nowrap">
        {formatMetric(metric, row)}
        <span className="text-ink-faint md:hidden"> {metricWord(metric, side)}</span>
      </span>
    ),
  };
}

/** The figure above a bar that compares it with the largest of the rows. */
function Impressions({ count, max }: { count: number; max: number }) {
  return (
    <span className="md:whitespace-nowrap">
      {formatCount(count)}
      <span className="text-ink-faint md:hidden"> impressions</span>
      <span aria-hidden="true" className="mt-1 hidden h-[3px] rounded-full bg-sunken md:block">
        <span
          style={{ width: `${max > 0 ? (count / max) * 100 : 0}%` }}
          className="ml-auto block h-full rounded-full bg-accent"
        />
      </span>
    </span>
  );
}

type NameProps = { row: BreakdownRow; isPicked: boolean; onPick: () => void };

function Name({ row, isPicked, onPick }: NameProps) {
  const { name, place, creative } = row;
  return (
    <button
      type="button"
      aria-pressed={isPicked}
      title={isPicked ? 'Remove filter' : 'Show only this'}
      onClick={onPick}
      className="-mx-1.5 flex w-[calc(100%+0.75rem)] items-center gap-3 rounded-control p-1.5 text-left hover:bg-sunken aria-pressed:bg-accent-soft"
    >
      {creative && <Thumbnail kind={creative.adType} src={creative.imageUrl} />}
      <span className="min-w-0">
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

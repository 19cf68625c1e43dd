import type { UnusualHour } from '#domain/analytics/contract.ts';
import { formatCount, formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useUnusualHours, type CountingQuery } from './api.ts';

/** Hours a publisher should have a look at; nothing where there are none, or while that is not known. */
export function UnusualHours({ query }: { query: CountingQuery }) {
  const { from, to, zone, website } = query;
  const { data, isError, refetch } = useUnusualHours({ from, to, zone, website });
  if (isError) return <LoadError what="the hours that stand out" onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <section aria-label="Hours that stand out" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-base font-semibold">Hours that stand out</h3>
      <p className="text-sm text-ink-soft">
        In these hours people clicked far more, or far less, than in the four weeks before. Nothing is taken
        away for it, but have a look at where these visitors came from.
      </p>
      <div
        role="region"
        aria-label="Hours that stand out, as a table"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control border border-line"
      >
        <Table
          label="Hours that stand out"
          rows={data}
          rowKey={({ zone, hour }) => `${zone} ${hour}`}
          columns={COLUMNS}
          cards
        />
      </div>
    </section>
  );
}

const COLUMNS: readonly Column<UnusualHour>[] = [
  {
    header: 'Hour from',
    cell: ({ hour }) => <span className="whitespace-nowrap">{formatDateTime(hour)}</span>,
  },
  {
    header: 'Zone',
    cell: ({ zoneName, websiteName }) => (
      <>
        <bdi>{websiteName}</bdi>, <bdi>{zoneName}</bdi>
      </>
    ),
  },
  figure('Views', 'start', 'views', ({ views }) => formatCount(views)),
  figure('Clicks', 'end', 'clicks', ({ clicks }) => formatCount(clicks)),
  figure('Click-through rate', 'start', 'clicked', rateOf),
  figure('Usual', 'end', 'is usual', ({ before }) => rateOf(before)),
];

/** `unit` is said where no header stands above: in the card of a phone. */
function figure(
  header: string,
  card: 'start' | 'end',
  unit: string,
  valueOf: (hour: UnusualHour) => string,
): Column<UnusualHour> {
  return {
    header,
    align: 'right',
    card,
    cell: (hour) => (
      <span className="whitespace-nowrap">
        {valueOf(hour)}
        <span className="text-ink-faint md:hidden"> {unit}</span>
      </span>
    ),
  };
}

function rateOf({ views, clicks }: { views: number; clicks: number }): string {
  return `${((clicks / views) * 100).toFixed(2)} %`;
}

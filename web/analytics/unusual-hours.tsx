import type { UnusualHour } from '#domain/analytics/contract.ts';
import { percentText } from '#domain/format.ts';
import { formatCount, formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useUnusualHours, type CountingQuery } from './api.ts';

/** Hours that the publisher should review; renders nothing if there are none or while they are loading. [DEL-42] */
export function UnusualHours({ query }: { query: CountingQuery }) {
  const { from, to, zone, website } = query;
  const { data, isError, refetch } = useUnusualHours({ from, to, zone, website });
  if (isError) return <LoadError what="the unusual hours" onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <section aria-label="Unusual hours" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-base font-semibold">Unusual hours</h3>
      <p className="text-sm text-ink-soft">
        In these hours, the click-through rate was far above or far below that of the previous four weeks.
        Your earnings don’t change, but check where these visitors came from.
      </p>
      <div
        role="region"
        aria-label="Table of unusual hours"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control border border-line"
      >
        <Table
          label="Unusual hours"
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
    header: 'Hour starting',
    cell: ({ hour }) => <span className="whitespace-nowrap">{formatDateTime(hour)}</span>,
  },
  {
    header: 'Ad zone',
    cell: ({ zoneName, websiteName }) => (
      <>
        <bdi>{websiteName}</bdi>, <bdi>{zoneName}</bdi>
      </>
    ),
  },
  figure('Views', 'start', 'views', ({ views }) => formatCount(views)),
  figure('Clicks', 'end', 'clicks', ({ clicks }) => formatCount(clicks)),
  figure('Click-through rate', 'start', 'CTR', rateOf),
  figure('Usual rate', 'end', 'usual CTR', ({ before }) => rateOf(before)),
];

/** `unit` follows the value in the cards on a phone, which have no column header. */
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
  return percentText(clicks / views, 2);
}

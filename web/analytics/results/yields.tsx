import type { ReactNode } from 'react';
import { SquareDashed } from 'lucide-react';
import type { Days } from '#domain/analytics/days.ts';
import type { ZoneYield } from '#domain/analytics/publisher-contract.ts';
import { addUp, byWebsite, type Yields } from '#domain/analytics/yields.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { SumStrip } from '#web/ui/sum-strip.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useZoneYields } from './api.ts';
import { PlacementChanges } from '../placement.tsx';
import { shareText } from './texts.ts';

/** What each website and ad zone brought in these days. [RES-60, RES-66, RES-90] */
export function ZoneYields({ days }: { days: Days }) {
  const { data, isError, isPlaceholderData, refetch } = useZoneYields(days);
  return (
    <>
      {data && data.length > 0 && <Totals total={addUp(data)} />}
      <Card aria-label="By website and ad zone" padded={false} className="min-w-0">
        <CardHeader
          title="By website and ad zone"
          description="Fill is the share of ad requests that a paid ad answered. Views don’t record the page they were on. To compare pages, use an ad zone for each kind of page."
          className="p-inset pb-4"
        />
        <PlacementChanges />
        {data ? (
          <div className={cn('pb-2', isPlaceholderData && 'opacity-60')} aria-busy={isPlaceholderData}>
            {data.length === 0 ? <NoZones /> : <ByWebsite zones={data} />}
          </div>
        ) : isError ? (
          <div className="px-inset pb-inset">
            <LoadError what="your ad zones" onRetry={() => void refetch()} />
          </div>
        ) : (
          <Skeleton className="mx-inset mb-inset h-64" />
        )}
      </Card>
    </>
  );
}

function Totals({ total }: { total: Yields }) {
  return (
    <SumStrip
      label="All ad zones"
      parts={[
        ['Earnings', formatMoney(total.amount)],
        ['Per 1,000 views', perThousand(total)],
        ['Views', formatCount(total.impressions)],
        ['Fill', shareText(total.fill)],
      ]}
    />
  );
}

const perThousand = ({ cpm }: Pick<Yields, 'cpm'>) => (cpm === null ? '–' : formatMoney(cpm));

function NoZones() {
  return (
    <EmptyState
      title="No ad zones yet"
      icon={<SquareDashed aria-hidden="true" />}
      action={<ButtonLink href="/ad-zones#new-zone">Create Ad Zone</ButtonLink>}
      className="mx-inset mb-4"
    >
      Create an ad zone and put its tag on your pages. What it brings appears here.
    </EmptyState>
  );
}

type Row = Yields & { key: string; name: string; isWebsite: boolean };

function ByWebsite({ zones }: { zones: readonly ZoneYield[] }) {
  const rows = byWebsite(zones).flatMap(({ publicId, name, zones, total }): Row[] => [
    { ...total, key: publicId, name, isWebsite: true },
    ...zones.map((zone) => ({ ...zone, key: zone.publicId, isWebsite: false })),
  ]);
  return (
    <Table
      label="Websites and ad zones"
      rows={rows}
      rowKey={({ key }) => key}
      columns={COLUMNS}
      cards
      middle
    />
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Website or ad zone',
    className: 'md:min-w-40',
    cell: ({ name, isWebsite }) => (
      <span className={cn('wrap-anywhere', isWebsite ? 'font-semibold' : 'md:pl-4')}>
        <bdi>{name}</bdi>
      </span>
    ),
  },
  figure('Per 1,000 views', perThousand),
  figure('Earnings', ({ amount }) => formatMoney(amount)),
  figure('Views', ({ impressions }) => formatCount(impressions)),
  figure('Ad requests', ({ requests }) => formatCount(requests)),
  figure('Fill', ({ fill }) => shareText(fill)),
  figure('Viewability', ({ viewability }) => shareText(viewability)),
];

/** A card on a phone has no header row, so each of its figures has its name before it. */
function figure(header: string, valueOf: (row: Row) => string): Column<Row> {
  return {
    header,
    align: 'right',
    cell: (row): ReactNode => (
      <span
        className={cn(
          'flex justify-between gap-4 whitespace-nowrap md:inline',
          row.isWebsite && 'font-semibold',
        )}
      >
        <span aria-hidden="true" className="font-normal text-ink-soft md:hidden">
          {header}
        </span>
        {valueOf(row)}
      </span>
    ),
  };
}

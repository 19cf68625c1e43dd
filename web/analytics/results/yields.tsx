import { Fragment } from 'react';
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
import { figureColumn, type FigureRow, nameColumn } from './figure-column.tsx';
import { PositionChanges } from '../position.tsx';
import { shareText } from './texts.ts';

/** What each website and ad zone brought in these days. */
export function ZoneYields({ days }: { days: Days }) {
  const { data, isError, isPlaceholderData, refetch } = useZoneYields(days);
  return (
    <>
      {data && data.length > 0 && <Totals total={addUp(data)} />}
      <Card aria-label="By website and ad zone" padded={false} className="min-w-0">
        <CardHeader
          title="By website and ad zone"
          description="Fill is the share of ad requests that a paid ad answered."
          className="p-inset pb-4"
        />
        <PositionChanges />
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

type Row = Yields & FigureRow & { key: string; name: string };

const isQuiet = ({ requests, impressions }: ZoneYield): boolean => requests === 0 && impressions === 0;

function ByWebsite({ zones }: { zones: readonly ZoneYield[] }) {
  const rows = byWebsite(zones).flatMap(({ publicId, name, zones, total }): Row[] => [
    { ...total, key: publicId, name, isSum: true },
    ...zones.filter((zone) => !isQuiet(zone)).map((zone) => ({ ...zone, key: zone.publicId, isSum: false })),
  ]);
  return (
    <>
      <Table
        label="Websites and ad zones"
        rows={rows}
        rowKey={({ key }) => key}
        columns={COLUMNS}
        cards
        middle
      />
      <QuietZones zones={zones.filter(isQuiet)} />
    </>
  );
}

/** Rows of zeros would make the page of a publisher with many ad zones long, above all on a phone. */
function QuietZones({ zones }: { zones: readonly ZoneYield[] }) {
  if (zones.length === 0) return null;
  return (
    <p className="px-inset pt-3 pb-2 text-sm wrap-anywhere text-ink-soft">
      Without an ad request in this period:{' '}
      {zones.map(({ publicId, name, websiteName }, at) => (
        <Fragment key={publicId}>
          {at > 0 && ', '}
          <bdi>{name}</bdi> (<bdi>{websiteName}</bdi>)
        </Fragment>
      ))}
    </p>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn('Website or ad zone'),
  figureColumn<Row>('Per 1,000 views', perThousand),
  figureColumn('Earnings', ({ amount }) => formatMoney(amount)),
  figureColumn('Views', ({ impressions }) => formatCount(impressions)),
  figureColumn('Ad requests', ({ requests }) => formatCount(requests)),
  figureColumn('Fill', ({ fill }) => shareText(fill)),
  figureColumn('Viewability', ({ viewability }) => shareText(viewability)),
];

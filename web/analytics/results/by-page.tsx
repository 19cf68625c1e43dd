import { useQuery } from '@tanstack/react-query';
import type { Days } from '#domain/analytics/days.ts';
import { calls } from '#domain/analytics/position-calls.ts';
import type { ZonePages } from '#domain/analytics/position-contract.ts';
import type { ZoneYield } from '#domain/analytics/publisher-contract.ts';
import { centsPerThousandPages, pathText } from '#domain/analytics/yields.ts';
import { PLACE_DAYS } from '#domain/delivery/place.ts';
import { decimalOf } from '#domain/money.ts';
import { read } from '#web/http/query.ts';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useZoneYields } from './api.ts';
import { figureColumn } from '#web/ui/figure-column.tsx';
import { type FigureRow, nameColumn } from './name-column.tsx';
import { shareText } from './texts.ts';

/** The earnings of an ad zone's pages, estimated by the measured page views; nothing before any is known. [RES-101] */
export function ByPage({ zone, days }: { zone: string; days: Days }) {
  const yields = useZoneYields(days, zone);
  const pages = useQuery(read(calls.getPages, { query: { zone } }));
  if (pages.isError) return <LoadError what="the pages" onRetry={() => void pages.refetch()} />;
  const own = yields.data?.find(({ publicId }) => publicId === zone);
  if (!own || !pages.data || pages.data.pages.length === 0) return null;
  return (
    <section aria-labelledby="by-page" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-0.5">
        <h2 id="by-page" className="font-medium">
          By page
        </h2>
        <p className="text-sm text-ink-faint">
          One in ten page views measures on which page an ad zone is, and for how long it is in view. These
          are the last {PLACE_DAYS} days.
        </p>
      </div>
      <div className="-mx-inset">
        <Table
          label="Pages"
          rows={rowsOf(pages.data, own)}
          rowKey={({ key }) => key}
          columns={COLUMNS}
          cards
          middle
        />
      </div>
      <p className="text-sm text-ink-soft">
        Per 1,000 page views is an estimate: what the ad zone earned for each ad request in the last 30 days,
        times how often it is in view for a second on this page beside all pages.
      </p>
    </section>
  );
}

type Row = FigureRow &
  ZonePages['all'] & { key: string; name: string; secondsInView: number | null; cents: number | null };

function rowsOf({ all, pages, others }: ZonePages, zone: ZoneYield): Row[] {
  const rowOf = (key: string, name: string, measured: ZonePages['all']): Row => ({
    key,
    name,
    isSum: false,
    secondsInView: null,
    cents: centsPerThousandPages(zone, { page: measured.viewable, all: all.viewable }),
    ...measured,
  });
  return [
    { ...rowOf('all', 'All pages', all), isSum: true },
    ...pages.map((page) => rowOf(page.path, pathText(page.path), page)),
    ...(others.reports > 0 ? [rowOf('others', 'Other pages', others)] : []),
  ];
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn('Page'),
  figureColumn('Per 1,000 page views', ({ cents }) => (cents === null ? '–' : formatMoney(decimalOf(cents)))),
  figureColumn('Measured page views', ({ reports }) => formatCount(reports)),
  figureColumn('In view for a second', ({ viewable }) => shareText(viewable)),
  figureColumn('Seconds in view', ({ secondsInView }) => secondsInView?.toFixed(1) ?? '–'),
];

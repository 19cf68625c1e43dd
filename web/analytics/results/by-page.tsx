import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Days } from '#domain/analytics/days.ts';
import { calls } from '#domain/analytics/position-calls.ts';
import type { ZonePages } from '#domain/analytics/position-contract.ts';
import type { ZoneYield } from '#domain/analytics/publisher-contract.ts';
import { centsPerThousandPages, pathText } from '#domain/analytics/yields.ts';
import { MIN_REPORTS_OF_A_PAGE, PLACE_DAYS } from '#domain/delivery/place.ts';
import { decimalOf } from '#domain/money.ts';
import { read } from '#web/http/query.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useZoneYields } from './api.ts';
import { figureColumn, type FigureRow, nameColumn } from './figure-column.tsx';
import { shareText } from './texts.ts';

/** The earnings of an ad zone's pages, estimated by the measured page views. [RES-101] */
export function ByPageCard({ days }: { days: Days }) {
  const { data } = useZoneYields(days);
  const [chosen, setChosen] = useState<string>();
  const zones = (data ?? []).filter(({ requests }) => requests > 0);
  const zone = zones.find(({ publicId }) => publicId === chosen) ?? zones[0];
  // The card of the ad zones says that there are none yet, or that they did not load.
  if (!zone) return null;
  return (
    <Card aria-label="By page" padded={false} className="min-w-0">
      <CardHeader
        title="By page"
        description={`One in ten page views measures on which page an ad zone is, and for how long it is in view. These are the last ${PLACE_DAYS} days.`}
        className="p-inset pb-4"
      />
      {zones.length > 1 && (
        <Field label="Ad zone" className="max-w-80 px-inset pb-4">
          <Select
            value={zone.publicId}
            onChange={(event) => setChosen(event.target.value)}
            options={zones.map(({ publicId, name, websiteName }) => ({
              value: publicId,
              label: `${name} (${websiteName})`,
            }))}
          />
        </Field>
      )}
      <Pages zone={zone} />
    </Card>
  );
}

function Pages({ zone }: { zone: ZoneYield }) {
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    ...read(calls.getPages, { query: { zone: zone.publicId } }),
    placeholderData: keepPreviousData,
  });
  if (!data) {
    return isError ? (
      <div className="px-inset pb-inset">
        <LoadError what="the pages" onRetry={() => void refetch()} />
      </div>
    ) : (
      <Skeleton className="mx-inset mb-inset h-48" />
    );
  }
  if (data.pages.length === 0) {
    return (
      <p className="px-inset pb-inset text-sm text-ink-soft">
        No page of this ad zone has {MIN_REPORTS_OF_A_PAGE} measured page views yet.
      </p>
    );
  }
  return (
    <div className={cn('pb-2', isPlaceholderData && 'opacity-60')} aria-busy={isPlaceholderData}>
      <Table
        label="Pages"
        rows={rowsOf(data, zone)}
        rowKey={({ key }) => key}
        columns={COLUMNS}
        cards
        middle
      />
      <p className="px-inset pt-3 pb-2 text-sm text-ink-soft">
        Per 1,000 page views is an estimate: what the ad zone earned for each ad request in the period above,
        times how often it is in view for a second on this page beside all pages.
      </p>
    </div>
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

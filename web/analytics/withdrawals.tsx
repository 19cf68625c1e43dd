import { useState } from 'react';
import { Download } from 'lucide-react';
import type { Withdrawal } from '#domain/analytics/contract.ts';
import { textOf } from '#domain/invalid-traffic/signal-texts.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { downloadCsv } from '#web/ui/download.ts';
import { csvOf } from '#domain/csv.ts';
import { formatCount, formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useWithdrawals, type CountingQuery } from './api.ts';

/** Lists withdrawn events with their hours and reasons. Renders nothing without any, or while it loads. [SIVT-03] */
export function Withdrawals({ query }: { query: CountingQuery }) {
  const { items, isError, retry, hasMore, loadMore, isLoadingMore, loadAll } = useWithdrawals(query);
  const [busy, setBusy] = useState(false);
  async function download() {
    setBusy(true);
    try {
      downloadCsv(
        `openslot-withdrawn-traffic-${query.from}-to-${query.to}.csv`,
        withdrawalsCsv(await loadAll()),
      );
    } catch (error) {
      failureToast(error, 'Download Failed', 'We couldn’t load the withdrawn traffic. Please try again.');
    } finally {
      setBusy(false);
    }
  }
  if (isError) return <LoadError what="the withdrawn traffic" onRetry={retry} />;
  if (!items || items.length === 0) return null;
  return (
    <section aria-label="Withdrawn traffic" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-base font-semibold">Withdrawn traffic</h3>
      <p className="text-sm text-ink-soft">
        {query.side === 'buyer'
          ? 'We counted these views and clicks at first and then found that they were invalid. You don’t pay for them. The other views and clicks of these hours still count. Campaigns with a goal run until they reach it, and per-day campaigns are extended by the days that no longer have enough views.'
          : 'We counted these views and clicks at first and then found that they were invalid, so we don’t bill them. The other views and clicks of these hours still count. If the visitors were real, for example because many of them share one network, write to the operator and name the hours.'}
      </p>
      <div
        role="region"
        aria-label="Table of withdrawn traffic"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control border border-line"
      >
        <Table label="Withdrawn traffic" rows={items} rowKey={({ id }) => id} columns={COLUMNS} cards />
      </div>
      <div className="flex flex-wrap gap-2">
        {hasMore && (
          <Button variant="secondary" size="sm" busy={isLoadingMore} onClick={loadMore}>
            Show more withdrawn traffic
          </Button>
        )}
        <Button variant="secondary" size="sm" busy={busy} onClick={() => void download()}>
          <Download aria-hidden="true" />
          Download table as CSV
        </Button>
      </div>
    </section>
  );
}

const COLUMNS: readonly Column<Withdrawal>[] = [
  {
    header: 'Hours',
    cell: ({ from, until }) => (
      <>
        {formatDateTime(from)} to <span className="whitespace-nowrap">{formatDateTime(until)}</span>
      </>
    ),
  },
  {
    header: 'Ad zone',
    card: 'wide',
    cell: ({ zoneName, websiteName }) => (
      <>
        <bdi>{websiteName}</bdi>, <bdi>{zoneName}</bdi>
      </>
    ),
  },
  {
    header: 'Why',
    card: 'wide',
    className: 'md:min-w-56',
    cell: ({ signals, overruled }) => (
      <>
        {sentence(signals)}
        {overruled && (
          <span className="mt-1 block font-medium">
            Overruled by the operator: <bdi className="wrap-anywhere">{overruled.reason}</bdi>
          </span>
        )}
      </>
    ),
  },
  figure('Views', 'start', 'views', ({ views }) => views),
  figure('Clicks', 'end', 'clicks', ({ clicks }) => clicks),
];

function sentence(signals: Withdrawal['signals']): string {
  const text = signals.map(textOf).join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** `unit` follows the value in the cards on a phone, which have no column header. */
function figure(
  header: string,
  card: 'start' | 'end',
  unit: string,
  valueOf: (row: Withdrawal) => number,
): Column<Withdrawal> {
  return {
    header,
    align: 'right',
    card,
    cell: (row) => (
      <span className="whitespace-nowrap">
        −{formatCount(valueOf(row))}
        <span className="text-ink-faint md:hidden"> {unit}</span>
      </span>
    ),
  };
}

function withdrawalsCsv(rows: readonly Withdrawal[]): string {
  return csvOf(
    [
      'From',
      'Until',
      'Website',
      'Ad zone',
      'Views',
      'Clicks',
      'Why',
      'Withdrawn at',
      'Overruled at',
      'Reason',
    ],
    rows.map((row) => [
      row.from,
      row.until,
      row.websiteName,
      row.zoneName,
      row.views,
      row.clicks,
      sentence(row.signals),
      row.madeAt,
      row.overruled?.at ?? '',
      row.overruled?.reason ?? '',
    ]),
  );
}

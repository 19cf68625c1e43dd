import { ReceiptText } from 'lucide-react';
import type { Transaction } from '#domain/analytics/contract.ts';
import { EARLY_ENDS } from '#domain/ads/ended-text.ts';
import type { AdStatus } from '#domain/ads/status.ts';
import type { PagedList } from '#web/http/paged-list.ts';
import { AmountLink } from '#web/ui/amount-link.tsx';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDate, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';

/** The specification highlights 'approved'; the two states that follow approval look the same. [OP-098] */
const TONES: Record<AdStatus, Tone> = {
  pending: 'neutral',
  rejected: 'neutral',
  approved: 'good',
  active: 'good',
  completed: 'good',
};

const COLUMNS: readonly Column<Transaction>[] = [
  {
    header: 'Ad Campaign',
    card: 'start',
    className: 'md:min-w-48',
    cell: (row) => (
      <span className="flex items-start gap-3">
        <Thumbnail kind={row.adType} src={row.imageUrl} />
        <span dir="auto" className="line-clamp-3 min-w-0 font-medium wrap-anywhere">
          {row.title}
        </span>
      </span>
    ),
  },
  {
    header: 'Ad Zone',
    // On a phone, the Website cell also names the ad zone.
    className: 'max-md:hidden md:min-w-24',
    cell: (row) => (
      <span className="line-clamp-3 wrap-anywhere">
        <bdi>{row.adZoneName}</bdi>
      </span>
    ),
  },
  {
    header: 'Website',
    card: 'wide',
    className: 'md:min-w-24',
    cell: (row) => (
      <span className="line-clamp-3 wrap-anywhere">
        <bdi>{row.websiteName}</bdi>
        <span className="text-ink-faint md:hidden">
          {' · '}
          <bdi>{row.adZoneName}</bdi>
        </span>
        <span className="block text-ink-soft md:hidden">{earlyEndOf(row)?.publisher}</span>
      </span>
    ),
  },
  {
    header: 'Advertiser',
    card: 'third-start',
    className: 'md:min-w-44',
    cell: (row) => <span className="wrap-anywhere max-md:text-ink-faint">{row.advertiserEmail}</span>,
  },
  {
    header: 'Amount',
    card: 'fourth-start',
    align: 'right',
    cell: (row) => (
      <>
        <span className="text-ink-faint md:hidden">Paid </span>
        <AmountLink amount={row.amount} adRef={row.id} side="publisher" />
        {row.refunded !== '0.00' && (
          <span className="block whitespace-nowrap text-ink-faint">{formatMoney(row.refunded)} refunded</span>
        )}
      </>
    ),
  },
  {
    header: 'Your Earnings',
    card: 'fourth-end',
    align: 'right',
    cell: (row) => (
      <span className="font-medium">
        <span className="font-normal text-ink-faint md:hidden">Earned </span>
        <AmountLink amount={row.earnings} adRef={row.id} side="publisher" />
      </span>
    ),
  },
  { header: 'Status', card: 'corner', cell: (row) => <Status row={row} /> },
  {
    header: 'Date',
    card: 'third-end',
    cell: (row) => (
      <span className="max-md:block max-md:text-right max-md:text-ink-faint">
        <span className="whitespace-nowrap">{formatDate(row.date)}</span>
        {Number(row.notDelivered) > 0 && (
          <span className="block text-xs text-ink-faint">
            {formatMoney(row.notDelivered)} not delivered yet
          </span>
        )}
      </span>
    ),
  },
];

/** An early end is named. Its reason is below the name on a wide screen, and below the website on a phone. */
function Status({ row }: { row: Transaction }) {
  const early = earlyEndOf(row);
  if (!early) return <Badge tone={TONES[row.status]}>{row.status}</Badge>;
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone="neutral">{early.title}</Badge>
      <span className="text-xs text-ink-soft max-md:hidden md:max-w-44">{early.publisher}</span>
    </span>
  );
}

function earlyEndOf({ endedReason }: Transaction) {
  return endedReason === null || endedReason === 'delivered' ? null : EARLY_ENDS[endedReason];
}

export function TransactionsTable({ transactions }: { transactions: PagedList<Transaction> }) {
  const { items, isError, retry, hasMore, loadMore, isLoadingMore } = transactions;
  if (isError) return <LoadError what="your transactions" onRetry={retry} />;
  if (!items) return <Skeleton className="m-5 h-40" />;
  if (items.length === 0) {
    return (
      <EmptyState
        title="No transactions found"
        icon={<ReceiptText aria-hidden="true" />}
        className="mx-5 my-3 sm:mx-6"
      >
        When an advertiser pays for an ad in one of your ad zones, it appears here.
      </EmptyState>
    );
  }
  return (
    <>
      <Table label="Transactions" columns={COLUMNS} rows={items} rowKey={(row) => row.id} cards />
      {hasMore && (
        <Button
          variant="secondary"
          size="sm"
          className="mx-inset my-4"
          busy={isLoadingMore}
          onClick={loadMore}
        >
          Show more transactions
        </Button>
      )}
    </>
  );
}

import { ReceiptText } from 'lucide-react';
import type { Transaction } from '#domain/analytics/contract.ts';
import type { AdStatus } from '#domain/ads/status.ts';
import type { PagedList } from '#web/http/paged-list.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDate, formatMoney } from '#web/ui/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

/** Highlighted when approved, and in what follows from it (OP-098). */
const TONES: Record<AdStatus, Tone> = {
  pending: 'neutral',
  rejected: 'neutral',
  approved: 'good',
  active: 'good',
  completed: 'good',
};

const COLUMNS: readonly Column<Transaction>[] = [
  { header: 'Ad Campaign', cell: (row) => <span className="font-medium wrap-anywhere">{row.title}</span> },
  { header: 'Ad Zone', cell: (row) => <span className="wrap-anywhere">{row.adZoneName}</span> },
  { header: 'Website', cell: (row) => <span className="wrap-anywhere">{row.websiteName}</span> },
  {
    header: 'Advertiser',
    className: 'md:min-w-44',
    cell: (row) => <span className="wrap-anywhere">{row.advertiserEmail}</span>,
  },
  { header: 'Amount', cell: (row) => formatMoney(row.amount), align: 'right' },
  {
    header: 'Your Earnings',
    cell: (row) => <span className="font-medium">{formatMoney(row.earnings)}</span>,
    align: 'right',
  },
  { header: 'Status', cell: (row) => <Badge tone={TONES[row.status]}>{row.status}</Badge> },
  { header: 'Date', cell: (row) => <span className="whitespace-nowrap">{formatDate(row.date)}</span> },
];

export function TransactionsTable({ transactions }: { transactions: PagedList<Transaction> }) {
  const { items, isError, retry, hasMore, loadMore, isLoadingMore } = transactions;
  if (isError) return <LoadError what="your transactions" onRetry={retry} />;
  if (!items) return <Skeleton className="m-5 h-40" />;
  if (items.length === 0) {
    return (
      <EmptyState title="No transactions found" icon={<ReceiptText aria-hidden="true" />}>
        Each ad that is paid for on one of your zones appears here.
      </EmptyState>
    );
  }
  return (
    <>
      <Table label="Transactions" columns={COLUMNS} rows={items} rowKey={(row) => row.id} />
      {hasMore && (
        <Button variant="secondary" size="sm" className="m-4" busy={isLoadingMore} onClick={loadMore}>
          Show more transactions
        </Button>
      )}
    </>
  );
}

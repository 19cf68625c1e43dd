import { useState } from 'react';
import { Download } from 'lucide-react';
import type { Transaction } from '#domain/analytics/contract.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import type { PagedList } from '#web/http/paged-list.ts';
import { Button } from '#web/ui/button.tsx';
import { csvOf } from '#domain/csv.ts';
import { downloadCsv } from '#web/ui/download.ts';

/** Downloads all transactions, including pages that are not loaded yet. Instants are ISO 8601, and amounts have no symbol. */
export function DownloadTransactions({ transactions }: { transactions: PagedList<Transaction> }) {
  const [busy, setBusy] = useState(false);
  async function download() {
    setBusy(true);
    try {
      downloadCsv('openslot-transactions.csv', csvOf(HEADER, (await transactions.loadAll()).map(cells)));
    } catch (error) {
      failureToast(error, 'Download Failed', 'We couldn’t load your transactions. Please try again.');
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button
      variant="secondary"
      busy={busy}
      disabled={!transactions.items}
      why={transactions.items?.length === 0 && 'There’s nothing to download yet'}
      onClick={() => void download()}
    >
      <Download aria-hidden="true" />
      Download CSV
    </Button>
  );
}

const HEADER = [
  'Date',
  'Ad Campaign',
  'Type',
  'Ad Zone',
  'Website',
  'Advertiser',
  'Amount',
  'Your Earnings',
  'Delivered',
  'Not Delivered Yet',
  'Status',
];

function cells(row: Transaction): string[] {
  const { date, title, adType, adZoneName, websiteName, advertiserEmail, status } = row;
  const { amount, earnings, delivered, notDelivered } = row;
  return [
    date,
    title,
    adType,
    adZoneName,
    websiteName,
    advertiserEmail,
    amount,
    earnings,
    delivered,
    notDelivered,
    status,
  ];
}

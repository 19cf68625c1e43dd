import { AccessNote } from '#web/accounts/access-note.tsx';
import { useMay } from '#web/accounts/membership.ts';
import { useEarnings, useTransactions } from '#web/analytics/api.ts';
import { DownloadTransactions } from '#web/analytics/download-transactions.tsx';
import { TransactionsTable } from '#web/analytics/transactions-table.tsx';
import { EarningsLine } from '#web/payments/earnings-line.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { StatCard } from '#web/ui/stat-card.tsx';

export default function TransactionsPage() {
  const earnings = useEarnings().data;
  const seesPayouts = useMay('money');
  const transactions = useTransactions();
  return (
    <Page>
      <PageHeader
        title="Transactions"
        description="Advertisers’ payments for ads in your zones, and your share of each."
        actions={<DownloadTransactions transactions={transactions} />}
      />
      <AccessNote needs="seller" />
      <section aria-label="Summary" className="grid gap-3 sm:grid-cols-3">
        <StatCard label="Total Earnings" value={earnings && formatMoney(earnings.totalEarnings)} />
        <StatCard label="This Month" value={earnings && formatMoney(earnings.thisMonth)} />
        <StatCard label="Total Transactions" value={transactions.count} />
      </section>
      {seesPayouts && <EarningsLine notDelivered={earnings && formatMoney(earnings.notDelivered)} />}
      <Card padded={false} className="min-w-0 py-2">
        <TransactionsTable transactions={transactions} />
      </Card>
    </Page>
  );
}

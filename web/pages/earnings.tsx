import { AccessNote } from '#web/accounts/access-note.tsx';
import { useTransactions } from '#web/analytics/api.ts';
import { DownloadTransactions } from '#web/analytics/download-transactions.tsx';
import { TransactionsTable } from '#web/analytics/transactions-table.tsx';
import { Papers } from '#web/payments/papers.tsx';
import { Payouts } from '#web/payments/payouts.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { ShownTogether } from './shown-together.tsx';

/** The money of a publisher in one place. */
export default function EarningsPage() {
  return (
    <Page>
      <PageHeader
        title="Earnings"
        description="Your payouts with their dates, the sales behind them, and your tax papers."
        actions={
          <ButtonLink href="/results" variant="secondary">
            Results by ad zone
          </ButtonLink>
        }
      />
      <AccessNote needs="seller" />
      <ShownTogether>
        <Payouts />
        <Sales />
        <Papers side="publisher" />
      </ShownTogether>
    </Page>
  );
}

/** How many of the rows of `/transactions` are shown. */
const SHOWN = 12;

function Sales() {
  const transactions = useTransactions();
  const { items, hasMore } = transactions;
  return (
    <Card aria-label="Transactions" padded={false} className="min-w-0 pb-2">
      <CardHeader
        title="Transactions"
        description="Advertisers’ payments for ads in your zones, and your share of each."
        actions={<DownloadTransactions transactions={transactions} />}
        className="p-inset pb-3"
      />
      <TransactionsTable transactions={{ ...transactions, items: items?.slice(0, SHOWN), hasMore: false }} />
      {items && (items.length > SHOWN || hasMore) && (
        <ButtonLink href="/transactions" variant="secondary" size="sm" className="mx-inset my-4">
          All transactions
        </ButtonLink>
      )}
    </Card>
  );
}

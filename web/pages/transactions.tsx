import { Page, PageHeader } from '#web/ui/page.tsx';

export default function TransactionsPage() {
  return (
    <Page>
      <PageHeader title="Transactions" />
    </Page>
  );
}

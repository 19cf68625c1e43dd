import { Page, PageHeader } from '#web/ui/page.tsx';

export default function MarketplacePage() {
  return (
    <Page>
      <PageHeader title="Marketplace" />
    </Page>
  );
}

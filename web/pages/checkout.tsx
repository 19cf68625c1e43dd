import { Page, PageHeader } from '#web/ui/page.tsx';

export default function CheckoutPage() {
  return (
    <Page>
      <PageHeader title="Checkout" />
    </Page>
  );
}

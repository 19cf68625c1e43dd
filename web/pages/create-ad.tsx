import { Page, PageHeader } from '#web/ui/page.tsx';

export default function CreateAdPage() {
  return (
    <Page>
      <PageHeader title="CreateAd" />
    </Page>
  );
}

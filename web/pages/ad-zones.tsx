import { Page, PageHeader } from '#web/ui/page.tsx';

export default function AdZonesPage() {
  return (
    <Page>
      <PageHeader title="AdZones" />
    </Page>
  );
}

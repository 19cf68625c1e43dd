import { Page, PageHeader } from '#web/ui/page.tsx';

export default function DashboardPage() {
  return (
    <Page>
      <PageHeader title="Dashboard" />
    </Page>
  );
}

import { AccessNote } from '#web/accounts/access-note.tsx';
import { PlanList } from '#web/plans/plan-list.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';

export default function PlansPage() {
  return (
    <Page>
      <PageHeader
        title="Plans"
        description="Ads that you submitted to several websites at once."
        actions={<ButtonLink href="/plans/new">New plan</ButtonLink>}
      />
      <AccessNote needs="buyer" />
      <PlanList />
    </Page>
  );
}

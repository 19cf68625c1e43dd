import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import { PlanBuilder } from '#web/plans/plan-builder.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';

const Content = onDemand(
  'the form',
  'h-120 rounded-card',
  async () => (await import('./plans-new-content.tsx')).PlansNewContent,
);

export default function NewPlanPage() {
  const canBuy = useHasAccess('buyer');
  return (
    <Page>
      <PageHeader
        title="New Plan"
        description="Write one ad, and submit it to several websites. Each publisher reviews it."
      />
      {canBuy ? <PlanBuilder Content={Content} /> : <AccessNote needs="buyer" />}
    </Page>
  );
}

import { ArrowLeft } from 'lucide-react';
import { useParams } from 'wouter';
import { AccessNote } from '#web/accounts/access-note.tsx';
import { ShareReport } from '#web/analytics/share-report.tsx';
import { RequestError } from '#web/http/request-error.ts';
import { usePlan } from '#web/plans/api.ts';
import { PlanList } from '#web/plans/plan-list.tsx';
import { PlanReport } from '#web/plans/plan-report.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The advertiser's plans, or the one that the address names. */
export default function PlansPage() {
  const { publicId } = useParams();
  return (
    <Page>{publicId === undefined ? <AllPlans /> : <OnePlan key={publicId} publicId={publicId} />}</Page>
  );
}

function AllPlans() {
  return (
    <>
      <PageHeader
        title="Plans"
        description="Ads that you submitted to several websites at once."
        actions={<ButtonLink href="/plans/new">New plan</ButtonLink>}
      />
      <AccessNote needs="buyer" />
      <PlanList />
    </>
  );
}

function OnePlan({ publicId }: { publicId: string }) {
  const { data: plan, error, isError, refetch } = usePlan(publicId);
  const isUnknown = error instanceof RequestError && error.status === 404;
  return (
    <>
      <PageHeader
        title={plan ? <bdi>{plan.name}</bdi> : 'Plan'}
        description="Each ad is reviewed and paid by itself. These are the sums."
        actions={
          <>
            {plan && <ShareReport subject={{ kind: 'plan', ref: plan.publicId }} />}
            <ButtonLink href="/plans" variant="secondary" size="sm">
              <ArrowLeft aria-hidden="true" />
              All plans
            </ButtonLink>
          </>
        }
      />
      {plan ? (
        <PlanReport plan={plan} />
      ) : isUnknown ? (
        <EmptyState title="Plan not found" action={<ButtonLink href="/plans">All plans</ButtonLink>}>
          The address may be incomplete, or the plan belongs to another account.
        </EmptyState>
      ) : isError ? (
        <LoadError what="the plan" onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-80 rounded-card" />
      )}
    </>
  );
}

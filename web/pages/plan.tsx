import { ArrowLeft } from 'lucide-react';
import { useParams } from 'wouter';
import { RequestError } from '#web/http/request-error.ts';
import { usePlan } from '#web/plans/api.ts';
import { PlanReport } from '#web/plans/plan-report.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export default function PlanPage() {
  const { publicId = '' } = useParams();
  const { data: plan, error, isError, refetch } = usePlan(publicId);
  const isUnknown = error instanceof RequestError && error.status === 404;
  return (
    <Page>
      <PageHeader
        title={plan ? <bdi>{plan.name}</bdi> : 'Plan'}
        description="Each ad is reviewed and paid by itself. These are the sums."
        actions={
          <ButtonLink href="/plans" variant="secondary" size="sm">
            <ArrowLeft aria-hidden="true" />
            All plans
          </ButtonLink>
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
    </Page>
  );
}

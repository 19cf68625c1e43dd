import { useParams } from 'wouter';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { Plan } from '#domain/plans/contract.ts';
import { AccessNote } from '#web/accounts/access-note.tsx';
import { usePlan } from '#web/plans/api.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { approvedOf, Loading, Offered, useWaiting } from './on-approval.tsx';

/** Saves one card that is charged for the ads of a plan when they are approved. */
export default function PlanPaidWhenApprovedPage() {
  const { publicId = '' } = useParams();
  return (
    <Page>
      <PageHeader title="Pay when approved" />
      <AccessNote needs="buyer" />
      <ForPlan key={publicId} publicId={publicId} />
    </Page>
  );
}

const UNKNOWN = {
  title: 'Plan not found',
  text: 'The address may be incomplete, or the plan belongs to another account.',
  link: <ButtonLink href="/plans">All plans</ButtonLink>,
};

function ForPlan({ publicId }: { publicId: string }) {
  const { data: plan, error, refetch } = usePlan(publicId);
  return plan ? (
    <PlanOffer plan={plan} />
  ) : (
    <Loading what="the plan" error={error} onRetry={refetch} unknown={UNKNOWN} />
  );
}

function PlanOffer({ plan: { publicId, name, ads: all } }: { plan: Plan }) {
  const ads = useWaiting(all);
  const limit = decimalOf(ads.reduce((sum, { totalAmount }) => sum + centsOf(totalAmount), 0));
  return (
    <Offered
      offer={
        ads.length > 0 && {
          of: { plan: publicId },
          ads: ads.map((ad) => ad.publicId),
          limit,
          approved: approvedOf(ads),
        }
      }
      title="Save one card for the plan"
      description="Each ad goes live when its publisher approves it, without another step."
      back={{ href: `/plans/${publicId}`, label: 'Go to the plan' }}
      notNeeded="No ad of this plan waits for approval or payment without a card."
      summary={
        <Card aria-label="Ads of the plan" className="grid gap-2">
          <CardHeader title={<bdi>{name}</bdi>} />
          <ul className="divide-y divide-line">
            {ads.map((ad) => (
              <li key={ad.publicId} className="flex items-baseline justify-between gap-4 py-2">
                <span className="min-w-0 wrap-anywhere">
                  <bdi>{ad.websiteName}</bdi>{' '}
                  <span className="text-sm text-ink-faint">
                    <bdi>{ad.adZoneName}</bdi>, {ad.adZoneWidth} × {ad.adZoneHeight}
                  </span>
                </span>
                <span className="figures">{formatMoney(ad.totalAmount)}</span>
              </li>
            ))}
          </ul>
          <p className="flex justify-between gap-4 border-t border-line pt-3 font-medium">
            Total <span className="figures">{formatMoney(limit)}</span>
          </p>
        </Card>
      }
    />
  );
}

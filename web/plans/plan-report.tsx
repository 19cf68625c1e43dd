import { counted } from '#domain/format.ts';
import { startsOn } from '#domain/ads/booking.ts';
import { pauseTitle } from '#domain/ads/pause-text.ts';
import { isPaid } from '#domain/ads/status.ts';
import type { ReactNode } from 'react';
import { canApply } from '#domain/ads/status.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { takesConsent } from '#domain/payments/consents.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import type { Plan, PlanAd } from '#domain/plans/contract.ts';
import { LimitedAdViews } from '#web/ads/limited-views.tsx';
import { EndedEarly, RefundState } from '#web/ads/ended-early.tsx';
import { StatusBadge } from '#web/ads/status-badge.tsx';
import { AmountLink } from '#web/ui/amount-link.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatCount, formatDay, formatMoney } from '#web/ui/format/format.ts';
import { StatCard } from '#web/ui/stat-card.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useNow } from '#web/ui/use-now.ts';

/** A plan with its sums, and the ads that they are the sums of. */
export function PlanReport({ plan }: { plan: Plan }) {
  return (
    <>
      <CardOfPlan plan={plan} />
      <section aria-label="Sums of the plan" className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-6">
        <StatCard label="Paid" value={formatMoney(plan.paid)} note={`of ${formatMoney(plan.total)}`} />
        <StatCard label="Delivered" value={formatMoney(plan.delivered)} />
        <StatCard label="Not delivered yet" value={formatMoney(plan.notDelivered)} />
        <StatCard label="Refunded" value={formatMoney(plan.refunded)} />
        <StatCard
          label="Views"
          value={formatCount(plan.impressions)}
          note={plan.cpm === null ? undefined : `${formatMoney(plan.cpm)} per 1,000`}
        />
        <StatCard
          label="Clicks"
          value={formatCount(plan.clicks)}
          note={plan.cpc === null ? undefined : `${formatMoney(plan.cpc)} each`}
        />
      </section>
      <Card padded={false} aria-label="Ads of the plan" className="min-w-0 pt-inset">
        <CardHeader title="Ads" description={summaryOf(plan.ads)} className="mx-inset mb-3" />
        <Table label="Ads of the plan" columns={COLUMNS} rows={plan.ads} rowKey={({ id }) => id} cards />
      </Card>
    </>
  );
}

/** The card that pays for ads of the plan on approval, and the offer to save one for those that wait without. */
function CardOfPlan({ plan: { publicId, consent, ads } }: { plan: Plan }) {
  const waiting = ads.filter(takesConsent);
  const isCharged = consent?.state === 'active' || consent?.state === 'charging';
  if (waiting.length === 0 && !isCharged) return null;
  const sum = decimalOf(waiting.reduce((total, { totalAmount }) => total + centsOf(totalAmount), 0));
  return (
    <Banner
      title={isCharged ? `Pays when approved · •••• ${consent.last4}` : 'Pay when approved'}
      action={
        waiting.length > 0 ? (
          <ButtonLink href={`/checkout/plans/${publicId}/on-approval`} variant="secondary" size="sm">
            Save a card
          </ButtonLink>
        ) : (
          <ButtonLink href="/settings?tab=billing" variant="secondary" size="sm">
            Manage cards
          </ButtonLink>
        )
      }
    >
      {isCharged && `We charge it at most ${formatMoney(consent.limit)}. `}
      {waiting.length > 0 &&
        `Save one card for ${counted(waiting.length, 'ad')} (${formatMoney(sum)}). Each is charged when its publisher approves it.`}
    </Banner>
  );
}

/** Such as '2 active, 1 pending'. */
export function summaryOf(ads: readonly Pick<PlanAd, 'status'>[]): string {
  const byStatus = Map.groupBy(ads, ({ status }) => status);
  return ['active', 'approved', 'pending', 'rejected', 'completed']
    .flatMap((status) => {
      const count = byStatus.get(status as PlanAd['status'])?.length ?? 0;
      return count === 0 ? [] : [`${count} ${status}`];
    })
    .join(', ');
}

const COLUMNS: readonly Column<PlanAd>[] = [
  {
    header: 'Ad zone',
    width: 25,
    card: 'start',
    cell: (ad) => (
      <span className="grid min-w-0">
        <bdi className="truncate font-medium">{ad.websiteName}</bdi>
        <span className="truncate text-xs text-ink-faint">
          <bdi>{ad.adZoneName}</bdi>, {ad.adZoneWidth} × {ad.adZoneHeight}
        </span>
        {ad.targeting !== null && !isPaid(ad.status) && ad.status !== 'rejected' && (
          <LimitedAdViews ad={ad} className="text-xs text-ink-soft" />
        )}
      </span>
    ),
  },
  { header: 'Status', width: 10, card: 'corner', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: 'Price',
    width: 13,
    cell: (ad) => (
      <span className="figures md:grid">
        <span className="font-medium">
          {!isPaid(ad.status) ? (
            formatMoney(ad.totalAmount)
          ) : (
            <AmountLink amount={ad.totalAmount} adRef={ad.publicId} side="buyer" />
          )}
        </span>{' '}
        <span className="text-xs text-ink-faint">
          {amountText(planOf(ad))}
          <Starts ad={ad} />
        </span>
      </span>
    ),
  },
  {
    header: 'Delivered',
    width: 17,
    cell: (ad) => (
      <span className="figures md:grid">
        <span className="md:hidden">Delivered </span>
        {formatMoney(ad.delivered)}{' '}
        <span className="text-xs text-ink-faint">
          {counted(ad.totalImpressions, 'view')}, {counted(ad.totalClicks, 'click')}
        </span>
      </span>
    ),
  },
  {
    header: 'Not delivered yet',
    width: 13,
    align: 'right',
    cell: (ad) => <Amount label="Not delivered yet" amount={ad.notDelivered} />,
  },
  {
    header: 'Refunded',
    width: 10,
    align: 'right',
    cell: (ad) => <Amount label="Refunded" amount={ad.refunded} />,
  },
  { header: 'What’s next', width: 18, cell: (ad) => <Next ad={ad} /> },
];

/** The day from which a booked ad is shown, if it has not begun. */
function Starts({ ad }: { ad: PlanAd }) {
  const day = startsOn(ad, useNow());
  return day === null ? null : <span className="md:block"> from {formatDay(day)}</span>;
}

/** On a phone, the label stands beside its amount. */
function Amount({ label, amount }: { label: string; amount: string }) {
  return (
    <>
      <span className="text-ink-faint md:hidden">{label} </span>
      {formatMoney(amount)}
    </>
  );
}

const NEXT: Record<PlanAd['status'], ReactNode> = {
  pending: 'The publisher reviews it.',
  approved: null,
  rejected: null,
  active: 'Live',
  completed: 'Completed',
};

/** The next event of an ad, and the advertiser's choices. */
function Next({ ad }: { ad: PlanAd }) {
  if (canApply('pay', ad.status) && !ad.isSuspended) {
    return (
      <ButtonLink href={`/checkout/${ad.publicId}`} size="sm" aria-label={`Pay Now: ${ad.websiteName}`}>
        Pay Now
      </ButtonLink>
    );
  }
  if (canApply('resubmit', ad.status)) {
    return (
      <span className="grid gap-1 text-xs">
        <span dir="auto" className="line-clamp-3 wrap-anywhere text-ink-soft">
          {ad.rejectionReason}
        </span>
        <ButtonLink
          href={`/dashboard?editAd=${ad.publicId}`}
          variant="secondary"
          size="sm"
          className="justify-self-start"
          aria-label={`Edit & Resubmit: ${ad.websiteName}`}
        >
          Edit & Resubmit
        </ButtonLink>
      </span>
    );
  }
  if (ad.endedReason !== null && ad.endedReason !== 'delivered')
    return (
      <span className="text-xs">
        <EndedEarly ad={ad} reason={ad.endedReason} />
      </span>
    );
  return (
    <span className="grid gap-1 text-xs text-ink-soft">
      {ad.paused === null ? NEXT[ad.status] : pauseTitle(ad.paused)}
      <RefundState refund={ad.refund} />
    </span>
  );
}

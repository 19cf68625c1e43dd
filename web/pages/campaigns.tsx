import { SearchX } from 'lucide-react';
import { useParams } from 'wouter';
import type { Ad } from '#domain/ads/contract.ts';
import { startsOn } from '#domain/ads/booking.ts';
import { PACE_DAYS } from '#domain/ads/pace.ts';
import { isPaid } from '#domain/ads/status.ts';
import { dayIn } from '#domain/analytics/days.ts';
import { addDays } from '#domain/time.ts';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useMay } from '#web/accounts/membership.ts';
import { useAd, useResults } from '#web/ads/api.ts';
import { BookingFacts } from '#web/ads/booking-facts.tsx';
import { CampaignAlerts } from '#web/ads/campaign-alerts.tsx';
import { CampaignHead } from '#web/ads/campaign-head.tsx';
import { CampaignResults } from '#web/ads/campaign-results.tsx';
import { Days } from '#web/ads/days.tsx';
import { Landings } from '#web/ads/landings.tsx';
import { SimilarZones } from '#web/ads/similar-zones.tsx';
import { useSeries } from '#web/analytics/api.ts';
import {
  CampaignCourse,
  CampaignTotals,
  WhereAndWhen,
  type ReportedCampaign,
} from '#web/analytics/campaign-report.tsx';
import { ShareReport } from '#web/analytics/share-report.tsx';
import { RequestError } from '#web/http/request-error.ts';
import { CampaignMoney } from '#web/payments/campaign-money.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useCampaignDialogs } from './campaign-dialogs.tsx';

const Creatives = onDemand(
  'the creatives',
  'h-24',
  async () => (await import('#web/ads/creatives-panel.tsx')).CreativesPanel,
);
const AddCreative = onDemand(
  'the form',
  'hidden',
  async () => (await import('./add-creative.tsx')).AddCreative,
);

/** One campaign of the advertiser: what it is, what it brought, and everything that can be done with it. */
export default function CampaignPage() {
  const { publicId = '' } = useParams();
  return (
    <Page className="max-sm:gap-4">
      <OneCampaign key={publicId} publicId={publicId} />
    </Page>
  );
}

function OneCampaign({ publicId }: { publicId: string }) {
  const { data: ad, error, refetch } = useAd(publicId);
  const reload = () => void refetch();
  if (error instanceof RequestError && error.status === 404) return <NotFound />;
  if (ad) return <Campaign ad={ad} onChange={reload} />;
  return (
    <>
      <PageHeader title="Campaign" />
      {error ? (
        <LoadError what="the campaign" onRetry={reload} />
      ) : (
        <Skeleton className="h-96 rounded-card" />
      )}
    </>
  );
}

function Campaign({ ad, onChange }: { ad: Ad; onChange: () => void }) {
  const { timezone } = useSignedInUser();
  const [onAct, dialog] = useCampaignDialogs(onChange);
  const today = dayIn(timezone, useNow());
  const isRunning = isPaid(ad.status);
  const week = { from: addDays(today, -PACE_DAYS), to: addDays(today, -1), step: 'day' } as const;
  const recent = useSeries(isRunning ? { side: 'buyer', campaign: ad.publicId, ...week } : null);
  return (
    <>
      <CampaignHead
        ad={ad}
        recent={isRunning ? recent.data?.totals : undefined}
        onAct={(act) => onAct(ad, act)}
        share={isRunning && <ShareReport subject={{ kind: 'ad', ref: ad.publicId }} />}
      />
      {isRunning ? <Paid ad={ad} timezone={timezone} onEnded={onChange} /> : <Unpaid ad={ad} />}
      {dialog}
    </>
  );
}

type PaidProps = { ad: Ad; timezone: string; onEnded: () => void };

/** The results of a paid campaign. The rail of money and booking stands beside the chart where both have room. */
function Paid({ ad, timezone, onEnded }: PaidProps) {
  const { publicId } = ad;
  const results = useResults(publicId).data;
  const now = useNow();
  const campaign = reportedOf(ad, timezone, now);
  return (
    <>
      <CampaignAlerts ad={ad} onEnded={onEnded} />
      <CampaignTotals {...campaign} results={results} />
      <div className={WITH_RAIL}>
        <CampaignCourse {...campaign} />
        <Rail ad={ad} />
      </div>
      <WhereAndWhen campaign={publicId} />
      <Card aria-label="Creatives" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <CardHeader title="Creatives" />
        <Creatives ad={ad} Form={AddCreative} />
      </Card>
      <Card aria-label="Landings and conversions" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <CardHeader title="Landings and conversions" />
        <CampaignResults adRef={publicId} />
        <Landings adRef={publicId} />
      </Card>
    </>
  );
}

const WITH_RAIL =
  'grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]';

function reportedOf(ad: Ad, timezone: string, now: Date): ReportedCampaign {
  const { publicId, startDate, endDate, updatedAt, createdAt, status } = ad;
  const hasBegun = startsOn(ad, now) === null;
  return {
    campaign: publicId,
    start: hasBegun && startDate ? startDate : createdAt,
    // A completed ad that was bought by views or clicks has no end date, so its report ends at its last change.
    end: status === 'completed' ? (endDate ?? updatedAt) : null,
    goal: goalOf(ad),
    timezone,
  };
}

function goalOf({ impressions, clicks }: Ad) {
  if (impressions !== null) return { of: 'impressions' as const, value: impressions };
  return clicks === null ? null : { of: 'clicks' as const, value: clicks };
}

/** An unpaid campaign has no delivery yet. */
function Unpaid({ ad }: { ad: Ad }) {
  return (
    <div className={WITH_RAIL}>
      <Card aria-label="Results" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <p className="text-sm text-ink-soft">The results of this campaign appear here once it’s paid for.</p>
        {ad.status === 'rejected' && ad.withdrawnAt === null && (
          <SimilarZones publicId={ad.publicId} adType={ad.adType} />
        )}
      </Card>
      <Rail ad={ad} />
    </div>
  );
}

function Rail({ ad }: { ad: Ad }) {
  const seesReceipts = useMay('money');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
      {isPaid(ad.status) && (
        <Card aria-label="Money" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <CardHeader title="Money" />
          <CampaignMoney adRef={ad.publicId} seesReceipts={seesReceipts} />
        </Card>
      )}
      <Card aria-label="Booking" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <CardHeader title="Booking" />
        <BookingFacts ad={ad} />
        {isPaid(ad.status) && ad.pricingModel === 'per_day' && <Days adRef={ad.publicId} side="advertiser" />}
      </Card>
    </div>
  );
}

function NotFound() {
  return (
    <>
      <PageHeader title="Campaign Not Found" />
      <EmptyState
        title="There is no such campaign in your account"
        icon={<SearchX aria-hidden="true" />}
        action={
          <ButtonLink href="/dashboard" state={{ tab: 'buyer' }}>
            Go to your dashboard
          </ButtonLink>
        }
      >
        Check the address, or choose the campaign in your dashboard.
      </EmptyState>
    </>
  );
}

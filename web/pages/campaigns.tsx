import { useState } from 'react';
import { Megaphone, SearchX } from 'lucide-react';
import { useParams } from 'wouter';
import type { Ad } from '#domain/ads/contract.ts';
import { PACE_DAYS } from '#domain/ads/pace.ts';
import { canApply, isPaid, type AdStatus } from '#domain/ads/status.ts';
import { dayIn } from '#domain/analytics/days.ts';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useAd } from '#web/ads/api.ts';
import { SimilarZones } from '#web/ads/similar-zones.tsx';
import { useCampaignFigures } from '#web/analytics/api.ts';
import { ShareReport } from '#web/analytics/share-report.tsx';
import { AdShowingDialog } from '#web/delivery/ad-showing.tsx';
import { RequestError } from '#web/http/request-error.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { Delivered } from './delivery/on-demand.ts';
import { addDays } from '#domain/time.ts';

// The same file as the dialog's.
const Campaign = onDemand(
  'the campaign',
  'h-96',
  async () => (await import('#web/ads/campaign-dialog.tsx')).Campaign,
);

const Creatives = onDemand(
  'the creatives',
  'h-40',
  async () => (await import('#web/ads/creatives-panel.tsx')).CreativesPanel,
);
const AddCreative = onDemand(
  'the form',
  'hidden',
  async () => (await import('./add-creative.tsx')).AddCreative,
);

/** One campaign of the advertiser, with an address of its own. */
export default function CampaignPage() {
  const { publicId = '' } = useParams();
  return (
    <Page narrow>
      <OneCampaign key={publicId} publicId={publicId} />
    </Page>
  );
}

function OneCampaign({ publicId }: { publicId: string }) {
  const { data: ad, error, refetch } = useAd(publicId);
  if (error instanceof RequestError && error.status === 404) return <NotFound />;
  const title = ad ? <bdi>{ad.title}</bdi> : 'Campaign';
  return (
    <>
      <PageHeader
        title={title}
        description={
          ad && (
            <>
              <bdi>{ad.websiteName}</bdi>, <bdi>{ad.adZoneName}</bdi>
            </>
          )
        }
        actions={
          <>
            {ad && isPaid(ad.status) && <ShareReport subject={{ kind: 'ad', ref: ad.publicId }} />}
            <ButtonLink href="/dashboard" state={{ tab: 'buyer' }} variant="secondary" size="sm">
              All campaigns
            </ButtonLink>
          </>
        }
      />
      {ad ? (
        <Card aria-label="Campaign">
          {!isPaid(ad.status) ? <Unpaid ad={ad} /> : <Paid ad={ad} onEnded={() => void refetch()} />}
        </Card>
      ) : error ? (
        <LoadError what="the campaign" onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-96 rounded-card" />
      )}
    </>
  );
}

function Paid({ ad, onEnded }: { ad: Ad; onEnded: () => void }) {
  const { timezone } = useSignedInUser();
  const [isExplained, setExplained] = useState(false);
  const now = useNow();
  const today = dayIn(timezone, now);
  const figuresOf = useCampaignFigures({ from: addDays(today, -PACE_DAYS), to: addDays(today, -1) });
  return (
    <>
      <Campaign
        ad={ad}
        recentOf={({ publicId }) => figuresOf(publicId)}
        now={now}
        chart={<Delivered ad={ad} timezone={timezone} creatives={<OwnCreatives ad={ad} />} />}
        onWhy={() => setExplained(true)}
        onEnded={onEnded}
      />
      {isExplained && <AdShowingDialog ad={ad} onClose={() => setExplained(false)} />}
    </>
  );
}

function OwnCreatives({ ad }: { ad: Ad }) {
  return (
    <section aria-label="Creatives" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 className="font-semibold">Creatives</h2>
      <Creatives ad={ad} Form={AddCreative} />
    </section>
  );
}

const UNPAID_TITLES: Partial<Record<AdStatus, string>> = {
  pending: 'Awaiting Approval',
  approved: 'Approved, not paid yet',
  rejected: 'Rejected',
};

/** An unpaid campaign has no delivery yet. */
function Unpaid({ ad }: { ad: Ad }) {
  return (
    <>
      <EmptyState
        title={UNPAID_TITLES[ad.status] ?? ad.status}
        icon={<Megaphone aria-hidden="true" />}
        action={
          canApply('pay', ad.status) ? (
            <ButtonLink href={`/checkout/${ad.publicId}`}>Pay Now</ButtonLink>
          ) : (
            canApply('resubmit', ad.status) && (
              <ButtonLink href={`/dashboard?editAd=${ad.publicId}`} state={{ tab: 'buyer' }}>
                Edit & Resubmit
              </ButtonLink>
            )
          )
        }
      >
        {ad.rejectionReason === null ? (
          'The delivery of this campaign appears here once it’s paid for.'
        ) : (
          <bdi>{ad.rejectionReason}</bdi>
        )}
      </EmptyState>
      {ad.status === 'rejected' && ad.withdrawnAt === null && (
        <SimilarZones publicId={ad.publicId} adType={ad.adType} />
      )}
    </>
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

import { SearchX, ShieldX } from 'lucide-react';
import { useParams } from 'wouter';
import { canApply } from '#domain/ads/status.ts';
import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import { useAd } from '#web/ads/api.ts';
import { CheckoutDetails, WhatYouGet } from '#web/ads/checkout-details.tsx';
import { RequestError } from '#web/http/request-error.ts';
import { PayWhenApproved } from '#web/payments/pay-when-approved.tsx';
import { RefundPreview } from '#web/payments/refund-preview.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export default function PayWhenApprovedPage() {
  const { publicId = '' } = useParams();
  return (
    <Page>
      <PageHeader title="Pay when approved" />
      <AccessNote needs="buyer" />
      <Offer key={publicId} publicId={publicId} />
    </Page>
  );
}

function Offer({ publicId }: { publicId: string }) {
  const canBuy = useHasAccess('buyer');
  const { data: ad, error, refetch } = useAd(publicId);
  if (error instanceof RequestError && error.status === 404) {
    return (
      <EmptyState
        title="Ad Not Found"
        icon={<SearchX aria-hidden="true" />}
        action={<ButtonLink href="/dashboard">Go to Dashboard</ButtonLink>}
      >
        None of your ads has this address. Check the link, or open the ad from your dashboard.
      </EmptyState>
    );
  }
  if (error && !ad) return <LoadError what="the ad" onRetry={() => void refetch()} />;
  if (!ad) return <Skeleton className="h-96 rounded-card" />;
  if (!canApply('approve', ad.status) && !canApply('pay', ad.status)) {
    return (
      <EmptyState
        title="Not needed for this ad"
        icon={<ShieldX aria-hidden="true" />}
        action={<ButtonLink href="/dashboard">Go to Dashboard</ButtonLink>}
      >
        You can set this up while an ad waits for approval or payment. The status of this ad is {ad.status}.
      </EmptyState>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
      <Card aria-label="What you get" className="grid gap-4">
        <WhatYouGet ad={ad} />
        <RefundPreview ad={ad} />
      </Card>
      <Card aria-label="Card" className="grid gap-6 lg:row-span-2">
        <CardHeader title="Save a card" description="Your ad goes live on approval, without another step." />
        {canBuy && <PayWhenApproved ad={ad} />}
      </Card>
      <Card aria-label="Your ad">
        <CheckoutDetails ad={ad} />
      </Card>
    </div>
  );
}

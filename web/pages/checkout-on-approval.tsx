import { useParams } from 'wouter';
import type { Ad } from '#domain/ads/contract.ts';
import { AccessNote } from '#web/accounts/access-note.tsx';
import { useAd } from '#web/ads/api.ts';
import { CheckoutDetails, WhatYouGet } from '#web/ads/checkout-details.tsx';
import { useAdPrice } from '#web/payments/api.ts';
import { RefundPreview } from '#web/payments/refund-preview.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { approvedOf, Loading, Offered, useWaiting } from './on-approval.tsx';

/** Saves a card that is charged when the ad is approved. */
export default function PayWhenApprovedPage() {
  const { publicId = '' } = useParams();
  return (
    <Page>
      <PageHeader title="Pay when approved" />
      <AccessNote needs="buyer" />
      <ForAd key={publicId} publicId={publicId} />
    </Page>
  );
}

const UNKNOWN = {
  title: 'Ad Not Found',
  text: 'None of your ads has this address. Check the link, or open the ad from your dashboard.',
  link: <ButtonLink href="/dashboard">Go to Dashboard</ButtonLink>,
};

function ForAd({ publicId }: { publicId: string }) {
  const { data: ad, error, refetch } = useAd(publicId);
  return ad ? (
    <AdOffer ad={ad} />
  ) : (
    <Loading what="the ad" error={error} onRetry={refetch} unknown={UNKNOWN} />
  );
}

function AdOffer({ ad }: { ad: Ad }) {
  const { publicId, totalAmount, status } = ad;
  const [ads] = useWaiting([ad]);
  const price = useAdPrice(ad, null);
  return (
    <Offered
      offer={
        ads && { of: { ads: [publicId] }, ads: [publicId], limit: totalAmount, approved: approvedOf([ad]) }
      }
      title="Save a card"
      description="Your ad goes live on approval, without another step."
      back={{ href: '/dashboard', label: 'Go to Dashboard' }}
      notNeeded={`The status of this ad is ${status}. A card can be saved while an ad waits for approval or payment, and for no other card.`}
      summary={
        <Card aria-label="What you get" className="grid gap-4">
          <WhatYouGet ad={ad} />
          <RefundPreview ad={ad} price={price.data} />
        </Card>
      }
      details={
        <Card aria-label="Your ad">
          <CheckoutDetails ad={ad} />
        </Card>
      }
    />
  );
}

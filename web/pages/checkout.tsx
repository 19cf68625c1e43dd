import { useCallback, useEffect, useState } from 'react';
import { SearchX, ShieldX } from 'lucide-react';
import { useLocation, useParams } from 'wouter';
import { canApply } from '#domain/ads/status.ts';
import type { Ad } from '#domain/ads/contract.ts';
import type { ReceiptFor } from '#domain/payments/contract.ts';
import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import { useAd } from '#web/ads/api.ts';
import { CheckoutDetails, WhatYouGet } from '#web/ads/checkout-details.tsx';
import { RequestError } from '#web/http/request-error.ts';
import { ReceiptForSection } from '#web/payments/receipt-for.tsx';
import { useAdPrice } from '#web/payments/api.ts';
import { Payment } from '#web/payments/payment.tsx';
import { RefundPreview } from '#web/payments/refund-preview.tsx';
import { PriceLines } from '#web/payments/price-lines.tsx';
import { useReturnedIntent } from '#web/payments/returned.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** [CHK-16] */
const REDIRECT_DELAY_MS = 1000;

export default function CheckoutPage() {
  const { publicId = '' } = useParams();
  return (
    <Page>
      <PageHeader title="Checkout" />
      <AccessNote needs="buyer" />
      <Checkout key={publicId} publicId={publicId} />
    </Page>
  );
}

function Checkout({ publicId }: { publicId: string }) {
  const { data: ad, error, refetch } = useAd(publicId);
  const reload = useCallback(() => void refetch(), [refetch]);
  const returned = useReturnedIntent();
  if (error instanceof RequestError && error.status === 404) return <NotFound />;
  if (error && !ad) return <LoadError what="the ad" onRetry={reload} />;
  if (!ad) return <Skeleton className="h-96 rounded-card" />;
  // The provider's event may have put the ad on air before the user is back from the bank.
  const isReturning = returned !== null && ad.status === 'active';
  if (!canApply('pay', ad.status) && !isReturning) return <NotAvailable ad={ad} />;
  return <PayForAd ad={ad} returned={returned} onSetupFailed={reload} />;
}

type PayForAdProps = { ad: Ad; returned: string | null; onSetupFailed: () => void };

function PayForAd({ ad, returned, onSetupFailed }: PayForAdProps) {
  const canBuy = useHasAccess('buyer');
  const leave = useLeaveWhenPaid(ad.publicId);
  const [receiptFor, setReceiptFor] = useState<ReceiptFor | null>(null);
  const price = useAdPrice(ad, receiptFor);
  return (
    // On a phone the payment comes between the purchase and the ad, because the advertiser already knows the ad.
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
      <Card aria-label="What you get" className="grid gap-4">
        <WhatYouGet ad={ad} />
        <RefundPreview ad={ad} price={price.data} />
      </Card>
      <Card aria-label="Payment" className="grid gap-6 lg:row-span-2">
        <CardHeader title="Payment" />
        <PriceLines ad={ad} price={price.data} />
        {canBuy && (
          <>
            <ReceiptForSection ad={ad} value={receiptFor} onChange={setReceiptFor} />
            <Payment
              ad={ad}
              returned={returned}
              receiptFor={receiptFor}
              onSetupFailed={onSetupFailed}
              onPaid={leave}
            />
          </>
        )}
      </Card>
      <Card aria-label="Your ad">
        <CheckoutDetails ad={ad} />
      </Card>
    </div>
  );
}

/** Opens the dashboard after the payment of an ad, unless the user leaves this page first. [CHK-16] */
function useLeaveWhenPaid(publicId: string): () => void {
  const [, navigate] = useLocation();
  const [paid, setPaid] = useState(false);

  useEffect(() => {
    if (!paid) return;
    const timer = setTimeout(
      () => navigate('/dashboard?payment=success', { state: { paid: publicId } }),
      REDIRECT_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [paid, navigate, publicId]);

  return useCallback(() => setPaid(true), []);
}

function NotFound() {
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

function NotAvailable({ ad }: { ad: Ad }) {
  return (
    <EmptyState
      title="Payment Not Available"
      icon={<ShieldX aria-hidden="true" />}
      action={<ButtonLink href="/dashboard">Go to Dashboard</ButtonLink>}
    >
      You can only pay for approved ads. The status of this ad is {ad.status}.
    </EmptyState>
  );
}

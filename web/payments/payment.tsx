import { useEffect, useState } from 'react';
import { CircleCheck } from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import {
  announceSetupFailure,
  setupFailureText,
  usePaymentIntent,
  usePaymentsConfig,
  usePaymentSuccess,
} from './api.ts';
import { SandboxForm } from './sandbox-form.tsx';

type PaymentProps = {
  ad: Ad;
  /** Called if the payment intent failed, for example because the ad is already paid for or no longer approved. */
  onSetupFailed: () => void;
  onPaid: () => void;
};

/** The payment, from the intent to the server's confirmation that the ad is paid for. */
export function Payment({ ad, onSetupFailed, onPaid }: PaymentProps) {
  const config = usePaymentsConfig();
  const intent = usePaymentIntent(ad);
  const success = usePaymentSuccess();
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const { error } = intent;

  useEffect(() => {
    if (!error) return;
    announceSetupFailure(error);
    onSetupFailed();
  }, [error, onSetupFailed]);

  /** The provider has charged the card, but the ad goes live only once the server knows. */
  function reportToServer(paymentIntentId: string) {
    setConfirmed(paymentIntentId);
    success.mutate(paymentIntentId, { onSuccess: onPaid });
  }

  if (success.isSuccess) {
    return (
      <p role="status" className="flex items-center gap-2 py-6 font-medium text-good">
        <CircleCheck aria-hidden="true" className="size-5" />
        Payment successful. Your ad is live.
      </p>
    );
  }
  if (confirmed !== null) {
    return success.isPending ? (
      <p role="status" className="py-6 text-ink-soft">
        Your card was charged. Finishing your payment...
      </p>
    ) : (
      <Banner
        tone="warn"
        title="Your payment isn’t finished yet"
        action={
          <Button size="sm" onClick={() => reportToServer(confirmed)}>
            Try again
          </Button>
        }
      >
        Your card was charged, but the confirmation didn’t reach us. Try again. You won’t be charged twice.
      </Banner>
    );
  }
  if (error) {
    return (
      <EmptyState
        title="We couldn’t set up the payment"
        className="py-8"
        action={
          <Button variant="secondary" onClick={() => void intent.refetch()}>
            Try again
          </Button>
        }
      >
        {setupFailureText(error)}
      </EmptyState>
    );
  }
  if (config.isError) return <LoadError what="the card form" onRetry={config.refetch} />;
  if (!intent.data || !config.data) return <Skeleton className="h-64" />;
  if (config.data.provider !== 'sandbox') {
    return (
      <Banner tone="warn" title="Card payments aren’t available">
        This page doesn’t support the marketplace’s payment provider. You haven’t been charged. Contact the
        marketplace operator.
      </Banner>
    );
  }
  return (
    <div className="grid gap-6">
      {config.data.notice && <Banner tone="warn">{config.data.notice}</Banner>}
      <SandboxForm
        clientSecret={intent.data.clientSecret}
        total={ad.totalAmount}
        onConfirmed={reportToServer}
      />
    </div>
  );
}

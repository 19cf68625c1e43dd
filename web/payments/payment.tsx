import { useCallback, useEffect, useState } from 'react';
import { CircleCheck, Hourglass } from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import type { ReceiptFor } from '#domain/payments/contract.ts';
import { messageOf, RequestError } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import {
  announceSetupFailure,
  isCountryMissing,
  isUnpaid,
  setupFailureText,
  usePaymentIntent,
  usePaymentsConfig,
  usePaymentSuccess,
  useSavedCard,
} from './api.ts';

/** Few advertisers have a saved card. */
const SavedCardOr = onDemand(
  'your saved card',
  'h-64',
  async () => (await import('./saved-card.tsx')).SavedCardOr,
);

/** The page loads only the form of the provider that the server uses. */
const StripeForm = onDemand(
  'the card form',
  'h-64',
  async () => (await import('./stripe-form.tsx')).StripeForm,
);
const SandboxForm = onDemand(
  'the card form',
  'h-64',
  async () => (await import('./sandbox-form.tsx')).SandboxForm,
);

type PaymentProps = {
  ad: Ad;
  /** The intent with which the user came back from the bank's page, or null. */
  returned: string | null;
  /** Whom the receipt names, if not the one of the settings. */
  receiptFor: ReceiptFor | null;
  /** Called if the payment intent failed, for example because the ad is already paid for or no longer approved. */
  onSetupFailed: () => void;
  onPaid: () => void;
};

/** The payment, from the intent to the server's confirmation that the ad is paid for. */
export function Payment({ ad, returned, receiptFor, onSetupFailed, onPaid }: PaymentProps) {
  const config = usePaymentsConfig();
  const saved = useSavedCard();
  const { success, confirmed, report } = useConfirmation(returned, onPaid);
  const intent = usePaymentIntent(ad, { enabled: confirmed === null, receiptFor });
  const { error } = intent;

  // The form of the receipt has given the country meanwhile.
  const needsCountry = isCountryMissing(error);
  const { refetch } = intent;
  useEffect(() => {
    if (needsCountry && receiptFor?.country) void refetch();
  }, [needsCountry, receiptFor, refetch]);

  useEffect(() => {
    if (!error || isCountryMissing(error)) return;
    announceSetupFailure(error);
    onSetupFailed();
  }, [error, onSetupFailed]);

  if (confirmed !== null) return <Confirmation success={success} onRetry={() => report(confirmed)} />;
  if (needsCountry) return <Banner title="Your country is missing">{setupFailureText(error)}</Banner>;
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
  if (!intent.data || !config.data || saved.isLoading) return <Skeleton className="h-64" />;
  const form = { clientSecret: intent.data.clientSecret, total: ad.totalAmount, onConfirmed: report };
  const { provider, publishableKey = '', notice } = config.data;
  const card = saved.data?.card;
  const cardForm =
    provider === 'stripe' ? (
      <StripeForm {...form} publishableKey={publishableKey} />
    ) : (
      <SandboxForm {...form} />
    );
  return (
    <div className="grid gap-6">
      {notice && <Banner tone="warn">{notice}</Banner>}
      {card ? (
        <SavedCardOr
          {...form}
          card={card}
          adPublicId={ad.publicId}
          publishableKey={provider === 'stripe' ? publishableKey : null}
        >
          {cardForm}
        </SavedCardOr>
      ) : (
        cardForm
      )}
    </div>
  );
}

/**
 * The intent that the provider or the bank's page has confirmed, until the server finds that it isn't paid; null: none yet.
 */
function useConfirmation(returned: string | null, onPaid: () => void) {
  const { mutate, reset, ...success } = usePaymentSuccess();
  const [confirmed, setConfirmed] = useState<string | null>(returned);

  /** The ad goes live only once the server has asked the provider. If it was not paid, the card form is shown again. */
  const askServer = useCallback(
    (paymentIntentId: string) =>
      mutate(paymentIntentId, {
        onSuccess: (reply) => {
          if (reply.success) onPaid();
        },
        onError: (failure) => {
          if (!isUnpaid(failure)) return;
          reset();
          setConfirmed(null);
        },
      }),
    [mutate, reset, onPaid],
  );

  useEffect(() => {
    if (returned !== null) askServer(returned);
  }, [returned, askServer]);

  function report(paymentIntentId: string) {
    setConfirmed(paymentIntentId);
    askServer(paymentIntentId);
  }

  return { success, confirmed, report };
}

type ConfirmationProps = {
  success: Omit<ReturnType<typeof usePaymentSuccess>, 'mutate' | 'reset'>;
  onRetry: () => void;
};

/** The server's answer about the confirmed intent. */
function Confirmation({ success, onRetry }: ConfirmationProps) {
  if (success.data && !success.data.success) {
    return (
      <p role="status" className="flex items-start gap-2 py-6">
        <Hourglass aria-hidden="true" className="mt-1 size-4 shrink-0" />
        Your payment is being processed. Your ad goes live by itself as soon as your bank confirms it. You can
        leave this page.
      </p>
    );
  }
  if (success.isSuccess) {
    return (
      <p role="status" className="flex items-center gap-2 py-6 font-medium text-good">
        <CircleCheck aria-hidden="true" className="size-5" />
        Payment successful. Your ad is live.
      </p>
    );
  }
  if (success.isPending) {
    return (
      <p role="status" className="py-6 text-ink-soft">
        Finishing your payment...
      </p>
    );
  }
  // The server's message explains what happens to the money, such as a refund.
  const isRefused = success.error instanceof RequestError && success.error.status === 409;
  return (
    <Banner
      tone="warn"
      title={isRefused ? 'Your ad can’t go live with this payment' : 'Your payment isn’t finished yet'}
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {isRefused
        ? messageOf(success.error, 'Please reload the page.')
        : 'Your payment was sent, but its confirmation didn’t reach us. Try again. You won’t be charged twice.'}
    </Banner>
  );
}

import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntentResult, StripeError } from '@stripe/stripe-js';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { Lock } from 'lucide-react';
import { OPENED_AT } from '#web/http/opened-at.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { PaymentNotes } from './refund-preview.tsx';
import { useAppearance } from './stripe-appearance.ts';
import { useStripeScript } from './stripe-script.ts';

type StripeFormProps = {
  clientSecret: string;
  publishableKey: string;
  total: string;
  onConfirmed: (paymentIntentId: string) => void;
};

/**
 * Stripe's own card form. Card numbers go from Stripe's frame to Stripe and never touch our page. Only documents that the
 * browser loads at a checkout address may load Stripe's script, so a user who comes from another page reloads once.
 */
export function StripeForm(props: StripeFormProps) {
  const isAllowed = OPENED_AT.startsWith('/checkout/');
  useEffect(() => {
    if (!isAllowed) window.location.reload();
  }, [isAllowed]);
  return isAllowed ? <LoadedForm {...props} /> : <Skeleton className="h-64" />;
}

function LoadedForm({ publishableKey, clientSecret, ...rest }: StripeFormProps) {
  const { stripe, hasFailed } = useStripeScript(publishableKey);
  const [isBroken, setIsBroken] = useState(false);
  const appearance = useAppearance();
  const options = useMemo(() => ({ clientSecret, appearance }), [clientSecret, appearance]);
  if (hasFailed || isBroken) return <FormMissing />;
  if (!stripe) return <Skeleton className="h-64" />;
  return (
    // Elements keeps its first client secret, so another one needs another instance.
    <Elements key={clientSecret} stripe={stripe} options={options}>
      <CardForm {...rest} onBroken={() => setIsBroken(true)} />
    </Elements>
  );
}

function FormMissing() {
  return (
    <Banner
      tone="warn"
      title="The card form didn’t load"
      action={
        <Button size="sm" className="h-11" onClick={() => window.location.reload()}>
          Try again
        </Button>
      }
    >
      It comes from js.stripe.com. Check your connection, and allow this address if you block scripts. You
      haven’t been charged.
    </Banner>
  );
}

type CardFormProps = Pick<StripeFormProps, 'total' | 'onConfirmed'> & { onBroken: () => void };

function CardForm({ total, onConfirmed, onBroken }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setIsReady] = useState(false);
  const [isPaying, setIsPaying] = useState(false);

  async function pay(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!stripe || !elements || isPaying) return;
    setIsPaying(true);
    try {
      const { origin, pathname } = window.location;
      const result = await stripe.confirmPayment({
        elements,
        confirmParams: { return_url: origin + pathname },
        redirect: 'if_required',
      });
      const paid = confirmedIntent(result);
      if (paid) onConfirmed(paid);
      else announceFailure(result.error);
    } catch {
      announceFailure(undefined);
    } finally {
      setIsPaying(false);
    }
  }

  return (
    <form aria-label="Card payment" className="grid gap-5" onSubmit={(event) => void pay(event)}>
      {/* Browsers paint a frame white if its color scheme differs from that of the element around it. */}
      <div className="scheme-light">
        <PaymentElement onReady={() => setIsReady(true)} onLoadError={onBroken} />
      </div>
      <Button type="submit" size="lg" wide busy={isPaying} disabled={!isReady}>
        <Lock aria-hidden="true" />
        Pay {formatMoney(total)}
      </Button>
      <PaymentNotes />
    </form>
  );
}

/** The intent that needs nothing more from the user, also if it was paid in another tab. */
function confirmedIntent(result: PaymentIntentResult): string | null {
  const intent = result.error ? result.error.payment_intent : result.paymentIntent;
  return intent && (intent.status === 'succeeded' || intent.status === 'processing') ? intent.id : null;
}

/**
 * Stripe words errors of the card, of the form and of the bank's challenge for the user. A failed challenge has the type of
 * a wrong request. [ERR-65, ERR-66]
 */
function announceFailure(error: StripeError | undefined): void {
  const isForUser =
    error?.type === 'card_error' ||
    error?.type === 'validation_error' ||
    error?.code === 'payment_intent_authentication_failure';
  if (isForUser && error.message) {
    toast({ title: 'Payment Failed', description: error.message, variant: 'destructive' });
  } else {
    toast({ title: 'Payment Error', description: 'An unexpected error occurred', variant: 'destructive' });
  }
}

import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntentResult, SetupIntentResult, StripeError } from '@stripe/stripe-js';
import { type FormEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { Lock } from 'lucide-react';
import { OPENED_AT } from '#web/http/opened-at.ts';
import { Banner } from '#web/ui/banner.tsx';
import { AcceptTerms } from '#web/ui/accept-terms.tsx';
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
  /** For a card that is saved instead of charged. */
  submitLabel?: string;
  notes?: ReactNode;
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
      <CardForm {...rest} isSetup={clientSecret.startsWith('seti_')} onBroken={() => setIsBroken(true)} />
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

type CardFormProps = Pick<StripeFormProps, 'total' | 'onConfirmed' | 'submitLabel' | 'notes'> & {
  isSetup: boolean;
  onBroken: () => void;
};

function CardForm({ total, onConfirmed, submitLabel, notes, isSetup, onBroken }: CardFormProps) {
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
      const options = {
        elements,
        confirmParams: { return_url: origin + pathname },
        redirect: 'if_required' as const,
      };
      const { id, error } = isSetup
        ? confirmedSetup(await stripe.confirmSetup(options))
        : confirmedIntent(await stripe.confirmPayment(options));
      if (id) onConfirmed(id);
      else announceFailure(error);
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
      {notes}
      <AcceptTerms by={notes ? 'By saving the card' : 'By paying'} forAds />
      <Button type="submit" size="lg" wide busy={isPaying} disabled={!isReady}>
        <Lock aria-hidden="true" />
        {submitLabel ?? `Pay ${formatMoney(total)}`}
      </Button>
      {!notes && <PaymentNotes />}
    </form>
  );
}

type Confirmed = { id: string | null; error: StripeError | undefined };

/** The intent that needs nothing more from the user, also if it was paid in another tab. */
function confirmedIntent({ error, paymentIntent }: PaymentIntentResult): Confirmed {
  const intent = error ? error.payment_intent : paymentIntent;
  const isDone = intent?.status === 'succeeded' || intent?.status === 'processing';
  return { id: isDone ? intent.id : null, error };
}

/** The same for a card that is saved. */
function confirmedSetup({ error, setupIntent }: SetupIntentResult): Confirmed {
  const setup = error ? error.setup_intent : setupIntent;
  return { id: setup?.status === 'succeeded' ? setup.id : null, error };
}

/**
 * Stripe words errors of the card, of the form and of the bank's challenge for the user. A failed challenge has the type of
 * a wrong request. [ERR-65]
 */
function announceFailure(error: StripeError | undefined): void {
  const isForUser =
    error?.type === 'card_error' ||
    error?.type === 'validation_error' ||
    error?.code === 'payment_intent_authentication_failure' ||
    error?.code === 'setup_intent_authentication_failure';
  if (isForUser && error.message) {
    toast({ title: 'Payment Failed', description: error.message, variant: 'destructive' });
  } else {
    toast({ title: 'Payment Error', description: 'An unexpected error occurred', variant: 'destructive' });
  }
}

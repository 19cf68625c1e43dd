import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type FormEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { Lock } from 'lucide-react';
import { OPENED_AT } from '#web/http/opened-at.ts';
import { Banner } from '#web/ui/banner.tsx';
import { AcceptTerms } from '#web/ui/accept-terms.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { PaymentNotes } from './refund-preview.tsx';
import { useAppearance } from './stripe-appearance.ts';
import { announceFailure, confirmedIntent, confirmedSetup } from './stripe-result.ts';
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
  const [declined, setDeclined] = useState<string | null>(null);

  async function pay(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!stripe || !elements || isPaying) return;
    setIsPaying(true);
    setDeclined(null);
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
      else setDeclined(announceFailure(error));
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
      {declined !== null && (
        <p role="alert" className="text-sm text-bad">
          {declined}
        </p>
      )}
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

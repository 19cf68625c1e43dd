import { Lock } from 'lucide-react';
import { useEffect, useId, useState, type FormEvent, type ReactNode } from 'react';
import type { SavedCard } from '#domain/payments/contract.ts';
import { OPENED_AT } from '#web/http/opened-at.ts';
import { AcceptTerms } from '#web/ui/accept-terms.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { onDemand } from '#web/ui/late.tsx';
import { declineOf, usePayWithSavedCard } from './api.ts';
import { cardName } from './consents-api.ts';
import { PaymentNotes } from './refund-preview.tsx';

/** The bank's question, which few payments need. */
const SandboxChallenge = onDemand(
  'your bank’s question',
  'h-11',
  async () => (await import('./challenge-dialog.tsx')).ChallengeDialog,
);
const StripeChallenge = onDemand(
  'your bank’s question',
  'h-11',
  async () => (await import('./stripe-challenge.tsx')).StripeChallenge,
);

type SavedCardProps = {
  card: SavedCard;
  adPublicId: string;
  total: string;
  clientSecret: string;
  /** Of Stripe; null in the sandbox. */
  publishableKey: string | null;
  onConfirmed: (paymentIntentId: string) => void;
  /** The card form, for another card. */
  children: ReactNode;
};

/** Offers the saved card first, and the form for another one. [CHK-600] */
export function SavedCardOr({ children, ...saved }: SavedCardProps) {
  const [isOther, setOther] = useState(false);
  const [isPaying, setPaying] = useState(false);
  // The bank's question comes from Stripe's script, which only documents opened at a checkout address may load.
  const mustReload = saved.publishableKey !== null && !OPENED_AT.startsWith('/checkout/');
  useEffect(() => {
    if (mustReload) window.location.reload();
  }, [mustReload]);
  const { brand, last4, expMonth, expYear } = saved.card;
  return (
    <div className="grid gap-5">
      <fieldset disabled={isPaying} className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">Pay with</legend>
        <Choice isChosen={!isOther} onChoose={() => setOther(false)}>
          <span className="figures font-medium">{cardName({ brand, last4 })}</span>
          <span className="text-ink-faint">
            {' '}
            until {String(expMonth).padStart(2, '0')} / {expYear % 100}
          </span>
        </Choice>
        <Choice isChosen={isOther} onChoose={() => setOther(true)}>
          Another card
        </Choice>
      </fieldset>
      {isOther ? children : <PayWithSaved {...saved} onPaying={setPaying} />}
    </div>
  );
}

type ChoiceProps = { isChosen: boolean; onChoose: () => void; children: ReactNode };

function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-11 items-center gap-3 rounded-control border border-line-strong/60 px-3 py-2 text-sm has-checked:border-accent has-checked:bg-accent-soft">
      <input type="radio" name="card" className="accent-accent" checked={isChosen} onChange={onChoose} />
      <span>{children}</span>
    </label>
  );
}

type PayWithSavedProps = Omit<SavedCardProps, 'children'> & { onPaying: (isPaying: boolean) => void };

function PayWithSaved(props: PayWithSavedProps) {
  const { card, adPublicId, total, clientSecret, publishableKey, onConfirmed, onPaying } = props;
  const pay = usePayWithSavedCard();
  const [isChallenged, setChallenged] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const errorId = useId();
  const declined = refused ?? declineOf(pay.error);
  const isBusy = pay.isPending || isChallenged;
  useEffect(() => onPaying(isBusy), [isBusy, onPaying]);

  function submit(event: FormEvent) {
    event.preventDefault();
    setRefused(null);
    pay.mutate(
      { adPublicId, cardId: card.id },
      {
        onSuccess: ({ status, paymentIntentId }) => {
          if (status === 'requires_action') setChallenged(true);
          else onConfirmed(paymentIntentId);
        },
      },
    );
  }

  const challenge = {
    clientSecret,
    onConfirmed,
    onDeclined: setRefused,
    onClose: () => setChallenged(false),
  };
  return (
    <form aria-label="Card payment" onSubmit={submit} className="grid gap-5">
      {declined !== null && (
        <p id={errorId} role="alert" className="text-sm text-bad">
          {declined}
        </p>
      )}
      <AcceptTerms by="By paying" forAds />
      <Button
        type="submit"
        size="lg"
        wide
        busy={isBusy}
        aria-describedby={declined === null ? undefined : errorId}
      >
        <Lock aria-hidden="true" />
        Pay {formatMoney(total)}
      </Button>
      <PaymentNotes />
      {isChallenged &&
        (publishableKey === null ? (
          <SandboxChallenge {...challenge} total={total} />
        ) : (
          <StripeChallenge {...challenge} publishableKey={publishableKey} />
        ))}
    </form>
  );
}

import { useEffect, useEffectEvent } from 'react';
import { announceFailure, confirmedIntent } from './stripe-result.ts';
import { useStripeScript } from './stripe-script.ts';

type StripeChallengeProps = {
  clientSecret: string;
  publishableKey: string;
  onConfirmed: (paymentIntentId: string) => void;
  onDeclined: (text: string | null) => void;
  onClose: () => void;
};

/** Stripe's script shows the bank's question about a payment with a saved card. */
export function StripeChallenge({ clientSecret, publishableKey, ...rest }: StripeChallengeProps) {
  const { stripe, hasFailed } = useStripeScript(publishableKey);

  const end = useEffectEvent((id: string | null, declined: string | null) => {
    if (id !== null) rest.onConfirmed(id);
    else rest.onDeclined(declined);
    rest.onClose();
  });

  useEffect(() => {
    if (hasFailed) end(null, 'Your bank’s question didn’t load. Check your connection and try again.');
  }, [hasFailed]);

  useEffect(() => {
    if (!stripe) return;
    void (async () => {
      try {
        const { id, error } = confirmedIntent(await stripe.handleNextAction({ clientSecret }));
        end(id, id === null ? announceFailure(error) : null);
      } catch {
        end(null, announceFailure(undefined));
      }
    })();
  }, [stripe, clientSecret]);
  return null;
}

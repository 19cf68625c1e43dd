import { useEffect, useRef } from 'react';
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
  const ends = useRef(rest);
  ends.current = rest;

  useEffect(() => {
    if (hasFailed)
      ends.current.onDeclined('Your bank’s question didn’t load. Check your connection and try again.');
    if (hasFailed) ends.current.onClose();
  }, [hasFailed]);

  useEffect(() => {
    if (!stripe) return;
    void (async () => {
      const { id, error } = confirmedIntent(await stripe.handleNextAction({ clientSecret }));
      if (id) ends.current.onConfirmed(id);
      else ends.current.onDeclined(announceFailure(error));
      ends.current.onClose();
    })();
  }, [stripe, clientSecret]);
  return null;
}

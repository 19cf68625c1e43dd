import { useEffect, useState } from 'react';
import type { Stripe } from '@stripe/stripe-js';
// The package's main module would load the script as soon as it is imported.
import { loadStripe } from '@stripe/stripe-js/pure';

/** Stripe's script usually arrives within a second. */
const SCRIPT_MS = 10_000;

/** One instance for each key, because every further one would load Stripe's frames again. */
const instances = new Map<string, Promise<Stripe | null>>();

export type StripeScript = { stripe: Stripe | null; hasFailed: boolean };

/** Loads Stripe's script from js.stripe.com. If the script loads after the timeout, the form replaces the error. */
export function useStripeScript(publishableKey: string): StripeScript {
  const [script, setScript] = useState<StripeScript>({ stripe: null, hasFailed: false });

  useEffect(() => {
    let isGone = false;
    const fail = () => !isGone && setScript((known) => ({ ...known, hasFailed: known.stripe === null }));
    const timer = setTimeout(fail, SCRIPT_MS);
    void (async () => {
      try {
        const stripe = await instanceOf(publishableKey);
        if (!isGone) setScript({ stripe, hasFailed: false });
      } catch {
        instances.delete(publishableKey);
        fail();
      }
    })();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [publishableKey]);

  return script;
}

function instanceOf(publishableKey: string): Promise<Stripe | null> {
  const known = instances.get(publishableKey);
  if (known) return known;
  const loading = loadStripe(publishableKey, { locale: 'en' });
  instances.set(publishableKey, loading);
  return loading;
}

import { useEffect, useState } from 'react';

/**
 * Returns the payment intent with which the bank's page has sent the user back, or null. The address then holds the
 * intent's client secret, so this hook cleans it at once. `redirect_status` proves nothing, so the server asks the
 * provider.
 */
export function useReturnedIntent(): string | null {
  const [intentId] = useState(() => {
    const query = new URLSearchParams(window.location.search);
    return query.has('payment_intent_client_secret') ? query.get('payment_intent') : null;
  });
  useEffect(() => {
    if (intentId === null) return;
    const { pathname, hash } = window.location;
    window.history.replaceState(window.history.state, '', pathname + hash);
  }, [intentId]);
  return intentId;
}

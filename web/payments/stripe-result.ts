/** The answers of Stripe's script. */
import type { PaymentIntentResult, SetupIntentResult, StripeError } from '@stripe/stripe-js';
import { declineText } from '#domain/payments/declines.ts';
import { toast } from '#web/ui/toast-store.ts';

type Confirmed = { id: string | null; error: StripeError | undefined };

/** The intent that needs nothing more from the user, also if it was paid in another tab. */
export function confirmedIntent({
  error,
  paymentIntent,
}: Pick<PaymentIntentResult, 'error' | 'paymentIntent'>): Confirmed {
  const intent = error ? error.payment_intent : paymentIntent;
  const isDone = intent?.status === 'succeeded' || intent?.status === 'processing';
  return { id: isDone ? intent.id : null, error };
}

/** The same for a card that is saved. */
export function confirmedSetup({ error, setupIntent }: SetupIntentResult): Confirmed {
  const setup = error ? error.setup_intent : setupIntent;
  return { id: setup?.status === 'succeeded' ? setup.id : null, error };
}

/**
 * Shows a toast, and returns the text for the card field. Stripe words errors of the card, of the form and of the bank's
 * challenge for the user. A failed challenge has the type of a wrong request. [ERR-65]
 */
export function announceFailure(error: StripeError | undefined): string | null {
  const isForUser =
    error?.type === 'card_error' ||
    error?.type === 'validation_error' ||
    error?.code === 'payment_intent_authentication_failure' ||
    error?.code === 'setup_intent_authentication_failure';
  if (isForUser && error.message) {
    toast({ title: 'Payment Failed', description: error.message, variant: 'destructive' });
    // Stripe's form shows what is wrong with its own fields.
    if (error.type === 'validation_error') return null;
    const { message, code, decline_code: declineCode } = error;
    return declineText({ message, code, declineCode });
  }
  toast({ title: 'Payment Error', description: 'An unexpected error occurred', variant: 'destructive' });
  return null;
}

import { Stripe } from 'stripe';
import { ProviderError } from '../payment-provider.ts';

/** The errors of a request that people can act on. Stripe words them for the person who pays. */
const PEOPLE_CAN_ACT = new Set(['amount_too_small', 'amount_too_large', 'email_invalid']);

/**
 * Translates an error of the client. Returns an error of our own code unchanged. Neither the original error nor its cause
 * is kept, because it holds the whole answer of Stripe, which can contain a client secret.
 */
export function providerError(error: unknown): unknown {
  if (error instanceof ProviderError || !(error instanceof Stripe.errors.StripeError)) return error;
  const message = withoutSecrets(error.message);
  const more = {
    ...(error.code !== undefined && { code: error.code }),
    ...(error.decline_code !== undefined && { declineCode: error.decline_code }),
  };
  // Another request with this key is running. This one has not acted.
  if (error.code === 'idempotency_key_in_use') return new ProviderError('rate_limited', message, more);
  // An account that was closed, or whose owner has withdrawn it from us.
  if (error.code === 'account_invalid') return new ProviderError('not_found', message, more);
  if (error instanceof Stripe.errors.CannotProceedError)
    return new ProviderError('conflict', message, { code: 'cannot_proceed' });
  if (error instanceof Stripe.errors.StripeCardError) {
    return new ProviderError('declined', message, { ...more, userMessage: message });
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError) {
    return new ProviderError('conflict', message, { code: 'idempotency_error' });
  }
  if (error instanceof Stripe.errors.StripeRateLimitError)
    return new ProviderError('rate_limited', message, more);
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    return new ProviderError(
      'unavailable',
      `Stripe does not accept STRIPE_SECRET_KEY for this call: ${message}`,
      more,
    );
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    if (error.statusCode === 404 || error.code === 'resource_missing')
      return new ProviderError('not_found', message, more);
    if (error.code === 'payment_intent_unexpected_state') return new ProviderError('conflict', message, more);
    const userMessage = PEOPLE_CAN_ACT.has(error.code ?? '') ? { userMessage: message } : {};
    return new ProviderError('invalid', message, { ...more, ...userMessage });
  }
  return new ProviderError('unavailable', message || 'Stripe failed without a message', more);
}

/** Removes keys and client secrets from a text. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(/\b(sk|rk)_(test|live)_[\w*]+/g, '$1_$2_…')
    .replaceAll(/\bwhsec_\w+/g, 'whsec_…')
    .replaceAll(/_secret_\w+/g, '_secret_…');
}

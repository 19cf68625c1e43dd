import { randomUUID } from 'node:crypto';
import { type PaymentProvider, ProviderError } from '../payment-provider.ts';
import type { StripeClient } from './client.ts';

/** `portalConfigurationFor` returns the id of the billing portal's configuration. */
export function stripeCustomers(
  { ask }: StripeClient,
  portalConfigurationFor: (returnUrl: string) => Promise<string>,
): Pick<PaymentProvider, 'createCustomer' | 'forgetCustomer' | 'billingPortal'> {
  return {
    async createCustomer({ email, name, metadata }, key) {
      const { id } = await ask((stripe) =>
        stripe.customers.create({ email, name, metadata }, { idempotencyKey: key }),
      );
      return { id };
    },

    async forgetCustomer(id) {
      try {
        await ask((stripe) => stripe.customers.del(id));
      } catch (error) {
        // A customer that is already deleted is unknown to Stripe.
        if (!(error instanceof ProviderError && error.kind === 'not_found')) throw error;
      }
    },

    async billingPortal(customerId, returnUrl) {
      const configuration = await portalConfigurationFor(returnUrl);
      const { url } = await ask((stripe) =>
        stripe.billingPortal.sessions.create(
          { customer: customerId, return_url: returnUrl, configuration },
          { idempotencyKey: `portal-session:${randomUUID()}` },
        ),
      );
      return { url };
    },
  };
}

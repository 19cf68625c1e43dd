import type { StripeClient } from './client.ts';

/** Marks our configuration of the billing portal, by which every instance and every start finds it. */
const MARK = { openslot: 'billing-portal' };

/** Returns a function for the id of the configuration: `set` by the operator, or ours, which is looked for once. */
export function createPortalConfiguration(
  client: StripeClient,
  set: string | undefined,
): (returnUrl: string) => Promise<string> {
  let found: Promise<string> | undefined;
  return async (returnUrl) => {
    if (set !== undefined) return set;
    found ??= findPortalConfiguration(client, returnUrl);
    try {
      return await found;
    } catch (error) {
      // The next caller repeats a failed search.
      found = undefined;
      throw error;
    }
  };
}

/**
 * Returns the id of the billing portal's configuration, and creates it if there is none. Without one, Stripe refuses
 * sessions until the operator saves the portal's settings in its dashboard.
 */
async function findPortalConfiguration({ ask, list }: StripeClient, returnUrl: string): Promise<string> {
  const configurations = list(
    (stripe) => stripe.billingPortal.configurations.list({ active: true, limit: 100 }),
    (configuration) => configuration,
  );
  for await (const { id, metadata } of configurations) {
    if (metadata?.['openslot'] === MARK.openslot) return id;
  }
  const made = await ask((stripe) =>
    stripe.billingPortal.configurations.create(
      {
        features: {
          customer_update: { enabled: true, allowed_updates: ['name', 'address', 'phone', 'tax_id'] },
          invoice_history: { enabled: true },
          payment_method_update: { enabled: true },
        },
        default_return_url: returnUrl,
        metadata: MARK,
      },
      // Two instances that start together create one configuration.
      { idempotencyKey: `portal:${returnUrl}` },
    ),
  );
  return made.id;
}

import { randomUUID } from 'node:crypto';
import { type PaymentIntent, type PaymentProvider, ProviderError } from '../payment-provider.ts';
import { createdSince, inList, isReplayed, PAGE, type StripeClient } from './client.ts';
import { readIntent } from './objects.ts';

const PARTS = ['latest_charge.balance_transaction'];

export function stripeIntents({
  ask,
  list,
}: StripeClient): Pick<PaymentProvider, 'createIntent' | 'getIntent' | 'cancelIntent' | 'intentsSince'> {
  async function getIntent(id: string): Promise<PaymentIntent> {
    return readIntent(await ask((stripe) => stripe.paymentIntents.retrieve(id, { expand: PARTS })));
  }

  return {
    async createIntent({ amount, currency, customerId, transferGroup, description, metadata }, key) {
      const made = await ask((stripe) =>
        stripe.paymentIntents.create(
          {
            amount,
            currency: currency.toLowerCase(),
            customer: customerId,
            automatic_payment_methods: { enabled: true },
            transfer_group: transferGroup,
            description,
            metadata,
            expand: PARTS,
          },
          { idempotencyKey: key },
        ),
      );
      // A repeated key returns the intent as it was when it was created.
      return isReplayed(made) ? getIntent(made.id) : readIntent(made);
    },

    getIntent,

    async cancelIntent(id) {
      try {
        return readIntent(
          await ask((stripe) =>
            stripe.paymentIntents.cancel(
              id,
              { expand: PARTS },
              // Each try has its own key. Otherwise Stripe would repeat the refusal of a payment that was being
              // processed.
              { idempotencyKey: `cancel:${randomUUID()}` },
            ),
          ),
        );
      } catch (error) {
        if (!(error instanceof ProviderError && error.kind === 'conflict')) throw error;
        const intent = await getIntent(id);
        if (intent.status === 'canceled') return intent;
        throw error;
      }
    },

    intentsSince: (since) =>
      list(
        (stripe) =>
          stripe.paymentIntents.list({ created: createdSince(since), limit: PAGE, expand: inList(PARTS) }),
        readIntent,
      ),
  };
}

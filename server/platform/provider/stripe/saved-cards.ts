/** Cards that Stripe keeps for charges without their owner: SetupIntents, and payments with `off_session`. */
import type { Stripe } from 'stripe';
import { type PaymentIntent, type PaymentProvider, ProviderError, type Setup } from '../payment-provider.ts';
import type { StripeClient } from './client.ts';
import { readSetup } from './objects.ts';

const SETUP_PARTS = ['payment_method'];

type SavedCards = Pick<PaymentProvider, 'createSetup' | 'getSetup' | 'chargeSaved' | 'forgetCard'>;

export function stripeSavedCards(
  { ask }: StripeClient,
  getIntent: (id: string) => Promise<PaymentIntent>,
): SavedCards {
  async function getSetup(id: string): Promise<Setup> {
    return readSetup(await ask((stripe) => stripe.setupIntents.retrieve(id, { expand: SETUP_PARTS })));
  }

  return {
    async createSetup({ customerId, metadata }, key) {
      const made: Stripe.SetupIntent = await ask((stripe) =>
        stripe.setupIntents.create(
          { customer: customerId, usage: 'off_session', allowed_payment_method_types: ['card'], metadata },
          { idempotencyKey: key },
        ),
      );
      // A repeated key returns the setup as it was when it was created.
      return getSetup(made.id);
    },

    getSetup,

    async chargeSaved({ intentId, cardId, returnUrl, isPresent = false }, key) {
      try {
        await ask((stripe) =>
          stripe.paymentIntents.confirm(
            intentId,
            // Stripe asks for an address to return to because the intent also accepts means of payment that redirect.
            { payment_method: cardId, off_session: !isPresent, return_url: returnUrl },
            { idempotencyKey: key },
          ),
        );
      } catch (error) {
        // The intent says why the card was declined, or that it was paid or canceled before.
        if (!(error instanceof ProviderError && ['declined', 'conflict'].includes(error.kind))) throw error;
        if (error.code === 'idempotency_error') throw error;
      }
      return getIntent(intentId);
    },

    async forgetCard(cardId) {
      try {
        await ask((stripe) =>
          stripe.paymentMethods.detach(cardId, {}, { idempotencyKey: `detach:${cardId}` }),
        );
      } catch (error) {
        // Stripe refuses to detach a card that is attached to no customer any more.
        if (!(error instanceof ProviderError && ['not_found', 'invalid'].includes(error.kind))) throw error;
      }
    },
  };
}

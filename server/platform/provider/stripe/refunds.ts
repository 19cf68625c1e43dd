import type { PaymentProvider } from '../payment-provider.ts';
import { inList, isReplayed, PAGE, type StripeClient } from './client.ts';
import { readRefund } from './objects.ts';

const PARTS = ['balance_transaction', 'failure_balance_transaction'];

export function stripeRefunds({
  ask,
  list,
}: StripeClient): Pick<PaymentProvider, 'refund' | 'getRefund' | 'refundsOf'> {
  return {
    async refund({ intentId, amount, metadata }, key) {
      const made = await ask((stripe) =>
        stripe.refunds.create(
          { payment_intent: intentId, amount, metadata, expand: PARTS },
          { idempotencyKey: key },
        ),
      );
      if (!isReplayed(made)) return readRefund(made);
      return readRefund(await ask((stripe) => stripe.refunds.retrieve(made.id, { expand: PARTS })));
    },

    getRefund: async (id) =>
      readRefund(await ask((stripe) => stripe.refunds.retrieve(id, { expand: PARTS }))),

    refundsOf: (intentId) =>
      list(
        (stripe) => stripe.refunds.list({ payment_intent: intentId, limit: PAGE, expand: inList(PARTS) }),
        readRefund,
      ),
  };
}

import type { Stripe } from 'stripe';
import type { PaymentProvider } from '../payment-provider.ts';
import { PAGE, type StripeClient } from './client.ts';
import { readBankPayout, readReversal, readTransfer } from './objects.ts';

const PARTS = ['balance_transaction', 'reversals.data.balance_transaction'];

type Transfers = Pick<
  PaymentProvider,
  'transfer' | 'getTransfer' | 'transfersOf' | 'reverse' | 'bankPayoutsSince'
>;

/** Transfers to publishers' accounts, and the payouts of those accounts to their banks. */
export function stripeTransfers({ ask, list }: StripeClient): Transfers {
  /** The movements of an account that one of its automatic payouts paid out. */
  async function movementsOf(payout: string, stripeAccount: string): Promise<Stripe.BalanceTransaction[]> {
    const movements: Stripe.BalanceTransaction[] = [];
    const listed = list(
      (stripe) =>
        stripe.balanceTransactions.list({ payout, limit: PAGE, expand: ['data.source'] }, { stripeAccount }),
      (movement) => movement,
    );
    for await (const movement of listed) movements.push(movement);
    return movements;
  }

  return {
    async transfer({ payeeId, amount, currency, sourceChargeId, transferGroup, metadata }, key) {
      const made = await ask((stripe) =>
        stripe.transfers.create(
          {
            amount,
            currency: currency.toLowerCase(),
            destination: payeeId,
            ...(sourceChargeId !== null && { source_transaction: sourceChargeId }),
            transfer_group: transferGroup,
            metadata,
            expand: PARTS,
          },
          { idempotencyKey: key },
        ),
      );
      return readTransfer(made);
    },

    getTransfer: async (id) =>
      readTransfer(await ask((stripe) => stripe.transfers.retrieve(id, { expand: PARTS }))),

    transfersOf: (transferGroup) =>
      list(
        (stripe) =>
          stripe.transfers.list({
            transfer_group: transferGroup,
            limit: PAGE,
            expand: PARTS.map((part) => `data.${part}`),
          }),
        readTransfer,
      ),

    reverse: async ({ transferId, amount, metadata }, key) =>
      readReversal(
        await ask((stripe) =>
          stripe.transfers.createReversal(
            transferId,
            { amount, metadata, expand: ['balance_transaction'] },
            { idempotencyKey: key },
          ),
        ),
      ),

    async *bankPayoutsSince(payeeId, since) {
      const created = { gte: Math.floor(since.getTime() / 1000) };
      const payouts = list(
        (stripe) => stripe.payouts.list({ created, limit: PAGE }, { stripeAccount: payeeId }),
        (payout) => payout,
      );
      for await (const payout of payouts)
        yield readBankPayout(payout, payout.automatic ? await movementsOf(payout.id, payeeId) : []);
    },
  };
}

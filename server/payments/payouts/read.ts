import type { Reply } from '#domain/endpoint.ts';
import { decimalOf } from '#domain/money.ts';
import type { getPayouts } from '#domain/payments/payout-contract.ts';
import { payoutState } from '#domain/payments/payout-history.ts';
import { nextPayoutAt } from '#domain/payments/payouts.ts';
import { TRANSFERS_INACTIVE } from '../../adapters/payment-provider.ts';
import type { Caller, Context } from '../../context.ts';
import type { Held } from '../ledger/held.ts';
import { readPayee } from '../payees/read.ts';
import { presentBalance } from './balance.ts';
import { listPayouts } from './store.ts';

/** Payouts are weekly, so this is about two years. Statements have all of them. */
const MAX_SHOWN = 100;

/** A publisher's balance at the present moment, their account at the provider and their payouts. [PAYO-02] */
export async function readPayouts(ctx: Context, who: Caller): Promise<Reply<typeof getPayouts>> {
  const { state, country, requirements } = await readPayee(ctx, who.id);
  // One snapshot, so that the amounts add up.
  return await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const balance = await presentBalance(ctx, tx, who.id);
      const payouts = await listPayouts(tx, who.id, ctx.payments.book, MAX_SHOWN);
      return {
        currency: ctx.config.currency,
        pending: decimalOf(balance.pendingCents),
        available: decimalOf(balance.availableCents),
        held: decimalOf(balance.heldCents),
        paidOut: decimalOf(balance.paidOutCents),
        owed: decimalOf(balance.owedCents),
        holds: holdsOf(balance.held),
        nextPayoutAt: nextPayoutAt(ctx.now()).toISOString(),
        account: { state, country, requirements },
        history: payouts.map(({ id, createdAt, amountCents, transfers }) => {
          const shown = payoutState(amountCents, transfers, TRANSFERS_INACTIVE);
          return {
            id,
            at: createdAt.toISOString(),
            amount: decimalOf(shown.amountCents),
            status: shown.status,
            message: shown.message,
          };
        }),
      };
    });
}

/** One line for each hold that keeps money back. */
function holdsOf(held: readonly Held[]): Reply<typeof getPayouts>['holds'] {
  const byId = new Map<number, Held>();
  for (const hold of held) {
    const known = byId.get(hold.id);
    byId.set(hold.id, { ...hold, amountCents: hold.amountCents + (known?.amountCents ?? 0) });
  }
  return [...byId.values()]
    .filter(({ amountCents }) => amountCents > 0)
    .map(({ id, amountCents, reason, until, isOfAll, adPublicId, adTitle }) => ({
      id,
      amount: decimalOf(amountCents),
      reason,
      until: until?.toISOString() ?? null,
      adPublicId: isOfAll ? null : adPublicId,
      adTitle: isOfAll ? null : adTitle,
    }));
}

import type { Reply } from '#domain/endpoint.ts';
import { decimalOf } from '#domain/money.ts';
import type { getPayouts } from '#domain/payments/payout-contract.ts';
import { payoutState } from '#domain/payments/payout-history.ts';
import { expectedPayouts, nextPayoutAt } from '#domain/payments/payouts.ts';
import { TRANSFERS_INACTIVE } from '#server/platform/provider/payment-provider.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { findChangeHold } from '../payees/change-hold.ts';
import { readCommission } from '../payees/commission.ts';
import { readBankAccount, readPayee } from '../payees/read.ts';
import { type HeldPart, presentBalance } from './balance.ts';
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
      const changed = await findChangeHold(tx, who.id, ctx.now());
      const payouts = await listPayouts(tx, who.id, ctx.payments.book, MAX_SHOWN);
      return {
        currency: ctx.config.currency,
        pending: decimalOf(balance.pendingCents),
        available: decimalOf(balance.availableCents),
        held: decimalOf(balance.heldCents),
        paidOut: decimalOf(balance.paidOutCents),
        owed: decimalOf(balance.owedCents),
        tax: decimalOf(balance.taxCents),
        holds: holdsOf(balance.held, changed),
        commissionPercent: (await readCommission(ctx, tx, who.id)).percent,
        nextPayoutAt: nextPayoutAt(ctx.now()).toISOString(),
        expected: expectedPayouts(balance.availableBy, {
          ...ctx.config.payouts,
          now: ctx.now(),
          heldUntil: changed?.until ?? null,
        }).map(({ at, cents }) => ({ at: at.toISOString(), amount: decimalOf(cents) })),
        minimum: decimalOf(ctx.config.payouts.minimumCents),
        method: ctx.config.payoutMethod,
        account: { state, country, requirements },
        bankAccount: await readBankAccount(ctx, tx, who.id),
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

/**
 * One line for each hold that keeps money back. The hold after a change of the payout account is also shown while there is
 * nothing to keep back, because it will hold what is earned until its end.
 */
function holdsOf(
  held: readonly HeldPart[],
  changed: { id: number; until: Date } | null,
): Reply<typeof getPayouts>['holds'] {
  const byId = new Map<number, HeldPart>();
  for (const hold of held) {
    const known = byId.get(hold.id);
    byId.set(hold.id, { ...hold, amountCents: hold.amountCents + (known?.amountCents ?? 0) });
  }
  const lines = [...byId.values()]
    .filter(({ id, amountCents }) => amountCents > 0 && id !== changed?.id)
    .map(({ id, amountCents, reason, until, isOfAll, adPublicId, adTitle }) => ({
      id,
      amount: decimalOf(amountCents),
      reason,
      until: until?.toISOString() ?? null,
      adPublicId: isOfAll ? null : adPublicId,
      adTitle: isOfAll ? null : adTitle,
    }));
  if (changed === null) return lines;
  const { id, until } = changed;
  const amount = decimalOf(byId.get(id)?.amountCents ?? 0);
  return [
    { id, amount, reason: 'payout_change', until: until.toISOString(), adPublicId: null, adTitle: null },
    ...lines,
  ];
}

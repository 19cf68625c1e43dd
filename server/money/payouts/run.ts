/**
 * The payouts:
 * 1. take back what was paid in excess (reverse.ts)
 * 2. settle the debts of publishers from their payable balances
 * 3. begin the payouts of this week (begin.ts)
 * 4. send what is due to the provider, and ask about transfers that should be at a bank by now (send.ts)
 */
import { lastPayoutAt } from '#domain/payments/payouts.ts';
import type { Context } from '#server/platform/context.ts';
import { eachDue } from '#server/platform/database/batches.ts';
import { accrueFor } from '../ledger/accrue.ts';
import { postNetting } from '../ledger/debts.ts';
import { findChangeHold } from '../payees/change-hold.ts';
import { readPayee } from '../payees/read.ts';
import { bookOf } from './balance.ts';
import { beginPayout } from './begin.ts';
import { reverseExcess, sendDueReversals } from './reverse.ts';
import { sendDueTransfers } from './send.ts';
import { listForWeek, listToNet, passTurns, takeWeek } from './store.ts';

/**
 * Does all work of payouts that is due, in the order of the steps above. Returns the number of payouts that it began.
 * [PAYO-03, PAYO-05]
 */
export async function runPayouts(ctx: Context): Promise<number> {
  const money = bookOf(ctx);
  await reverseExcess(ctx);
  await sendDueReversals(ctx);

  for (const publisherId of await listToNet(ctx.db, money))
    await ctx.db.transaction().execute((tx) => postNetting(tx, { ...money, publisherId }, ctx.now()));

  // However late this runs, it is about the earnings that had matured on Monday at 00:00 UTC.
  const week = lastPayoutAt(ctx.now());
  const turn = { week, leastCents: ctx.config.payouts.minimumCents };
  await passTurns(ctx.db, money, turn);
  const begun = await eachDue<number>(
    ctx,
    'a weekly payout could not begin; trying again in a minute',
    (after, limit) => listForWeek(ctx.db, money, { ...turn, after: after ?? 0, limit }),
    (userId) => beginFor(ctx, userId, week),
  );

  await sendDueTransfers(ctx);
  return begun;
}

/**
 * Begins the payout of this week of a publisher. Each has one turn in a week, also with several instances. If their balance
 * is too small or their account is not ready then, they wait for the next week or request a payout.
 */
async function beginFor(ctx: Context, userId: number, week: Date): Promise<boolean> {
  const payee = await readPayee(ctx, userId);
  await accrueFor(ctx, userId);
  return await ctx.db.transaction().execute(async (tx) => {
    // The turn stays, so that the payout leaves when the hold has ended.
    if (await findChangeHold(tx, userId, ctx.now())) return false;
    if (!(await takeWeek(tx, userId, ctx.payments.book, week))) return false;
    const payout = await beginPayout(ctx, tx, { userId, payee, requestedBy: 'schedule', dueAt: week });
    return !('refused' in payout);
  });
}

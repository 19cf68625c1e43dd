import { lastPayoutAt } from '#domain/payments/payouts.ts';
import type { Context } from '../../context.ts';
import { eachDue } from '../../db/batches.ts';
import { accrueFor } from '../ledger/accrue.ts';
import { postNetting } from '../ledger/transfers.ts';
import { findChangeHold } from '../payees/change-hold.ts';
import { readPayee } from '../payees/read.ts';
import { bookOf } from './balance.ts';
import { beginPayout } from './begin.ts';
import { reverseExcess, sendDueReversals } from './reverse.ts';
import { sendDueTransfers } from './send.ts';
import { listForWeek, listToNet, passTurns, takeWeek } from './store.ts';

/**
 * Does all work of payouts that is due: takes back excess payouts, settles debts from later earnings, begins the weekly
 * payouts, and sends transfers and reversals. Returns the number of payouts that it began. [PAYO-03]
 */
export async function runPayouts(ctx: Context): Promise<number> {
  await reverseExcess(ctx);
  await sendDueReversals(ctx);
  await netDebts(ctx);
  const begun = await beginWeekly(ctx);
  await sendDueTransfers(ctx);
  return begun;
}

/** Settles the debts of publishers from their payable balances. [PAYO-05] */
export async function netDebts(ctx: Context): Promise<void> {
  const money = bookOf(ctx);
  for (const publisherId of await listToNet(ctx.db, money))
    await ctx.db.transaction().execute((tx) => postNetting(tx, { ...money, publisherId }, ctx.now()));
}

/**
 * Begins the payouts of this week, of the earnings that had matured on Monday at 00:00 UTC. Each publisher has one turn
 * in a week, also with several instances, and however late this runs. If their balance is too small or their account is
 * not ready then, they wait for the next week or request a payout.
 */
async function beginWeekly(ctx: Context): Promise<number> {
  const week = lastPayoutAt(ctx.now());
  const leastCents = ctx.config.payouts.minimumCents;
  await passTurns(ctx.db, bookOf(ctx), { week, leastCents });
  return await eachDue<number>(
    ctx,
    'a weekly payout could not begin; trying again in a minute',
    (after, limit) => listForWeek(ctx.db, bookOf(ctx), { week, leastCents, after: after ?? 0, limit }),
    (userId) => beginFor(ctx, userId, week),
  );
}

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

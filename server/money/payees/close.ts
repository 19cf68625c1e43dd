import { DAY_MS, SECOND_MS } from '#domain/time.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue, enqueueIn } from '#server/platform/database/job-queue.ts';
import { dropPayees } from './store.ts';

/** Removes our records of a user's payout accounts: all, or those that were begun since then. A job closes them. */
export async function forgetPayees(ctx: Context, tx: Tx, userId: number, since: Date | null): Promise<void> {
  const { book } = ctx.payments;
  for (const accountId of await dropPayees(tx, userId, since, book))
    await enqueue(tx, 'close-payee', { accountId, book });
}

/**
 * The job. An account with money on its way to the bank cannot be closed, so the job comes back a day later. Only an
 * account of the present provider can be closed.
 */
export async function closePayee(
  ctx: Context,
  payee: { accountId: string; book: PaymentBook },
): Promise<void> {
  if (payee.book !== ctx.payments.book) return;
  const closed = await ctx.payments.closePayee(payee.accountId);
  if (closed === 'balance_not_zero') await enqueueIn(ctx.db, 'close-payee', payee, DAY_MS / SECOND_MS);
}

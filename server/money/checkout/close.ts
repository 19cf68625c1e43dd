import { FIRST_CHECK_MS } from '#domain/payments/limits.ts';
import { later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { finalisePayment } from './finalise.ts';
import { cancelOrAsk } from './intents.ts';
import { findPaymentOfIntent, markCanceled, markOneCanceled, type Payment } from './payment.ts';

/**
 * Closes the open payments of ads that can no longer go live, in the caller's transaction, which has locked those ads. A
 * job then cancels the intents at the provider. Money that arrives before that is refunded. [HOOK-05]
 */
export async function closeOpenPayments(ctx: Context, tx: Tx, adIds: number[]): Promise<void> {
  const at = ctx.now();
  for (const intentId of await markCanceled(tx, adIds, { at, nextCheckAt: later(at, FIRST_CHECK_MS) })) {
    await enqueue(tx, 'cancel-intent', { intentId });
  }
}

/** Closes an open payment that has to be replaced, in the caller's transaction. A job cancels its intent. */
export async function closePayment(
  ctx: Context,
  tx: Tx,
  { id, book }: Pick<Payment, 'id' | 'book'>,
): Promise<void> {
  const at = ctx.now();
  const intentId = await markOneCanceled(tx, id, { at, nextCheckAt: later(at, FIRST_CHECK_MS) });
  // Another provider's intent can be neither canceled nor paid here.
  if (intentId !== null && book === ctx.payments.book) await enqueue(tx, 'cancel-intent', { intentId });
}

/**
 * The job. If the intent has already been paid, or is being paid, it cannot be canceled; the checks then find and refund
 * the money. Only an intent of the present provider can be canceled.
 */
export async function cancelIntent(ctx: Context, intentId: string): Promise<void> {
  const payment = await findPaymentOfIntent(ctx.db, intentId);
  if (payment && payment.book !== ctx.payments.book) return;
  const intent = await cancelOrAsk(ctx, intentId);
  if (payment && intent) {
    await ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
  }
}

import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { enqueue } from '../db/job-queue.ts';
import { ProviderError } from '../adapters/payment-provider.ts';
import { markCanceled } from './store.ts';

/**
 * Closes the open payments of ads that can no longer go live, in the caller's transaction, which has locked those ads. A
 * job then cancels the intents at the provider. Money that arrives before that is refunded. [PAY-06]
 */
export async function closeOpenPayments(ctx: Context, tx: Tx, adIds: number[]): Promise<void> {
  for (const intentId of await markCanceled(tx, adIds, ctx.now())) {
    await enqueue(tx, 'cancel-intent', { intentId });
  }
}

/** The job. If the intent has already been paid, it cannot be canceled; the provider's event then starts the refund. */
export async function cancelIntent(ctx: Context, intentId: string): Promise<void> {
  try {
    await ctx.payments.cancelIntent(intentId);
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'conflict') return;
    throw error;
  }
}

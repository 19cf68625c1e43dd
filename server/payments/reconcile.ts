import { RECONCILE_AFTER_MS } from '#domain/payments/limits.ts';
import { later } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { applyProviderEvent } from './events.ts';
import { askAndFinalise } from './finalise.ts';
import { takeUnchecked } from './store.ts';
import { listWaitingEvents } from './store-events.ts';

const BATCH = 100;

/**
 * Finishes payments that neither the browser nor the provider's event finished: asks the provider about every payment
 * that has been open for five minutes, and handles events whose job was lost. Returns how many payments it
 * finished. An error in one item is logged and does not stop the others. [PAY-05]
 */
export async function reconcilePayments(ctx: Context): Promise<number> {
  const before = later(ctx.now(), -RECONCILE_AFTER_MS);
  let finished = 0;
  for (;;) {
    const open = await takeUnchecked(ctx.db, before, ctx.now(), BATCH);
    for (const payment of open) {
      const outcome = await attempt(ctx, { paymentId: payment.id }, () => askAndFinalise(ctx, payment));
      if (outcome && outcome !== 'waiting') finished++;
    }
    if (open.length < BATCH) break;
  }
  for (const eventId of await listWaitingEvents(ctx.db, before, BATCH)) {
    await attempt(ctx, { eventId }, () => applyProviderEvent(ctx, eventId));
  }
  return finished;
}

async function attempt<T>(ctx: Context, what: object, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    ctx.log.error({ err: error, ...what }, 'reconciliation of an item failed; the next run tries it again');
    return null;
  }
}

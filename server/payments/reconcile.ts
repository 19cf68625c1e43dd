import { RECONCILE_AFTER_MS } from '#domain/payments/limits.ts';
import { later } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { applyProviderEvent } from './events.ts';
import { askAndFinalise } from './finalise.ts';
import { sendRefund } from './refund.ts';
import { takeUnchecked } from './store.ts';
import { listWaitingEvents } from './store-events.ts';
import { listUnsentRefunds } from './store-refunds.ts';

const BATCH = 100;

/**
 * Finishes what browser and provider's event did not: asks about every payment that is open for five minutes, applies
 * events and sends refunds whose job was lost (PAY-05). Answers how many payments were brought to an end. One payment that
 * cannot be asked about does not keep the others from it.
 */
export async function reconcilePayments(ctx: Context): Promise<number> {
  const before = later(ctx.now(), -RECONCILE_AFTER_MS);
  let ended = 0;
  for (;;) {
    const open = await takeUnchecked(ctx.db, before, ctx.now(), BATCH);
    for (const payment of open) {
      const outcome = await attempt(ctx, { paymentId: payment.id }, () => askAndFinalise(ctx, payment));
      if (outcome && outcome !== 'waiting') ended++;
    }
    if (open.length < BATCH) break;
  }
  for (const eventId of await listWaitingEvents(ctx.db, before, BATCH)) {
    await attempt(ctx, { eventId }, () => applyProviderEvent(ctx, eventId));
  }
  for (const refundId of await listUnsentRefunds(ctx.db, before, BATCH)) {
    await attempt(ctx, { refundId }, () => sendRefund(ctx, refundId));
  }
  return ended;
}

async function attempt<T>(ctx: Context, what: object, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    ctx.log.error({ err: error, ...what }, 'reconciliation failed; it will be tried again');
    return null;
  }
}

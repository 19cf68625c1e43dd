import type { Context } from '../context.ts';
import { finalisePayment } from './finalise.ts';
import { findPaymentOfIntent } from './store.ts';
import { findEvent, lockEvent, markEventDone } from './store-events.ts';

/**
 * The job that handles a stored event of the provider. Events can arrive late, twice and in any order, so this function
 * fetches the current intent instead of trusting the event. One transaction applies the intent and marks the event done.
 */
export async function applyProviderEvent(ctx: Context, eventId: string): Promise<void> {
  const event = await findEvent(ctx.db, eventId);
  if (!event || event.doneAt !== null) return;
  const payment = event.type.startsWith('payment_intent.')
    ? await findPaymentOfIntent(ctx.db, event.objectId)
    : null;
  const intent = payment && (await ctx.payments.getIntent(event.objectId));
  await ctx.db.transaction().execute(async (tx) => {
    const open = await lockEvent(tx, eventId);
    if (!open) return;
    if (payment && intent) await finalisePayment(ctx, tx, payment, intent);
    await markEventDone(tx, eventId, ctx.now());
  });
}

import type { Context } from '../context.ts';
import { finalisePayment } from './finalise.ts';
import { findPaymentOfIntent } from './store.ts';
import { findEvent, lockEvent, markEventDone } from './store-events.ts';

/**
 * The job that empties the inbox of the provider's events. Events come late, twice and in any order, so an event is
 * only a hint to look: the object's state is fetched anew. It is done in the same transaction as its effects.
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

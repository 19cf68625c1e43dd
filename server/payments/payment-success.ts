import type { Ad } from '#domain/ads/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { paymentSuccess } from '#domain/payments/contract.ts';
import { ownAd } from '../ads/read.ts';
import type { Context, Who } from '../context.ts';
import { cardDeclined, conflict, notFound } from '../http/errors.ts';
import { finalisePayment } from './finalise.ts';
import { findPaymentOfIntent } from './store.ts';

/**
 * The browser says that it has paid: a hint to look, not a proof. The provider is asked, and only what it confirms
 * activates the ad; repeating is harmless (OP-094).
 */
export async function reportSuccess(
  ctx: Context,
  who: Who,
  { body }: Parsed<typeof paymentSuccess>,
): Promise<{ success: true; ad: Ad }> {
  const payment = await findPaymentOfIntent(ctx.db, body.paymentIntentId);
  if (!payment || payment.userId !== who.id) throw notFound('Payment not found');
  const intent = await ctx.payments.getIntent(body.paymentIntentId);
  const outcome = await ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
  switch (outcome) {
    case 'paid':
      return {
        success: true,
        ad: await ownAd(ctx, who, { params: { ref: { id: payment.adId } }, query: {}, body: {} }),
      };
    case 'waiting':
      if (intent.status === 'processing') throw conflict('The payment is being processed');
      throw intent.lastError
        ? cardDeclined(intent.lastError.message, intent.lastError.code, intent.lastError.declineCode)
        : cardDeclined('The payment has not been completed', `payment_intent_${intent.status}`);
    case 'orphaned':
      throw conflict('This ad can no longer go live. Your payment is refunded in full.');
    case 'closed':
      throw conflict('This payment was canceled');
  }
}

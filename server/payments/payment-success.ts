import type { Ad } from '#domain/ads/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { paymentSuccess } from '#domain/payments/contract.ts';
import { ownAd } from '../ads/read.ts';
import type { Context, Who } from '../context.ts';
import { cardDeclined, conflict, notFound } from '../http/errors.ts';
import { finalisePayment } from './finalise.ts';
import { findPaymentOfIntent } from './store.ts';

/**
 * The browser reports that it has paid. This is not proof: the ad goes live only if the provider confirms the payment.
 * Repeating the call changes nothing. [OP-094]
 */
export async function reportSuccess(
  ctx: Context,
  who: Who,
  { body }: Parsed<typeof paymentSuccess>,
): Promise<{ success: true; ad: Ad }> {
  const payment = await findPaymentOfIntent(ctx.db, body.paymentIntentId);
  if (!payment || payment.userId !== who.id) throw notFound('Payment not found. Please reload the page.');
  const intent = await ctx.payments.getIntent(body.paymentIntentId);
  const outcome = await ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
  switch (outcome) {
    case 'paid':
      return {
        success: true,
        ad: await ownAd(ctx, who, { params: { ref: { id: payment.adId } }, query: {}, body: {} }),
      };
    case 'waiting':
      if (intent.status === 'processing')
        throw conflict('The payment is being processed. Please check again in a few minutes.');
      throw intent.lastError
        ? cardDeclined(intent.lastError.message, intent.lastError.code, intent.lastError.declineCode)
        : cardDeclined(
            'The payment has not been completed. Please try again.',
            `payment_intent_${intent.status}`,
          );
    case 'orphaned':
      throw conflict('This ad can no longer go live. We will refund your payment in full.');
    case 'closed':
      throw conflict('This payment was canceled. Please reload the page to pay again.');
  }
}

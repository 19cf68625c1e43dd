import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { paymentSuccess } from '#domain/payments/contract.ts';
import { ownAd } from '#server/ads/read.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { cardDeclined, conflict, notFound } from '#server/platform/http/errors.ts';
import type { PaymentIntent } from '#server/platform/provider/payment-provider.ts';
import { answering } from '../provider-requests/answer-time.ts';
import { finalisePayment } from './finalise.ts';
import { findIntent } from './intents.ts';
import { notAsAgreed, tooLate } from './open-payment.ts';
import { findPaymentOfIntent } from './payment.ts';

/**
 * The browser reports that it has paid. This is not proof: the ad goes live only if the provider confirms the payment.
 * Repeating the call changes nothing. [OP-094]
 */
export async function reportSuccess(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof paymentSuccess>,
): Promise<Reply<typeof paymentSuccess>> {
  const payment = await findPaymentOfIntent(ctx.db, body.paymentIntentId);
  if (!payment || payment.userId !== who.id) throw notFound('Payment not found. Please reload the page.');
  const intent = await answering(
    ctx,
    () => 'If your card was charged, your ad goes live by itself, so don’t pay again.',
    () => findIntent(ctx, payment),
  );
  if (intent === null) throw payment.book === ctx.payments.book ? unknownToProvider() : otherProvider();
  const outcome = await ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
  switch (outcome) {
    case 'paid':
      return {
        success: true,
        ad: await ownAd(ctx, who, { params: { ref: { id: payment.adId } } }),
      };
    case 'processing':
      return {
        success: false,
        status: 'processing',
        message: 'Your bank is processing the payment. Your ad goes live by itself when it is done.',
      };
    case 'waiting':
      throw anotherCard(intent);
    case 'orphaned':
      throw tooLate();
    case 'suspense':
      throw notAsAgreed();
    case 'closed':
      throw conflict('This payment was canceled. Please reload the page to pay again.');
  }
}

function anotherCard({ lastError, status }: PaymentIntent): Error {
  return lastError
    ? cardDeclined(lastError.message, lastError.code, lastError.declineCode)
    : cardDeclined('The payment has not been completed. Please try again.', `payment_intent_${status}`);
}

const unknownToProvider = () =>
  conflict(
    'The card provider doesn’t know this payment, so your ad can’t go live on it. Please reload the page to pay again.',
  );
const otherProvider = () =>
  conflict('The marketplace has changed its card provider. Please reload the page to pay again.');

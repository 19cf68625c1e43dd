/** A card that is kept for "Pay when approved", offered at the checkout. */
import { randomUUID } from 'node:crypto';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { findSavedCard, payWithSavedCard } from '#domain/payments/contract.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { cardDeclined, conflict, notFound } from '#server/platform/http/errors.ts';
import { type PaymentIntent, ProviderError } from '#server/platform/provider/payment-provider.ts';
import { answering } from '../provider-requests/answer-time.ts';
import { refuseCardTesting } from '../checkout/attempts.ts';
import { findKeptCard } from '../checkout/consent-rows.ts';
import { payableIntent } from '../checkout/create-intent.ts';
import { findOpenPaymentOf } from '../checkout/payment.ts';

export async function savedCard(ctx: Context, who: Caller): Promise<Reply<typeof findSavedCard>> {
  const kept = await findKeptCard(ctx.db, who.id, ctx.payments.book);
  if (kept === null) return { card: null };
  const { id, brand, last4, expMonth, expYear } = kept;
  return { card: { id, brand, last4, expMonth, expYear } };
}

const CARD_GONE = 'This card isn’t saved any more. Enter a card.';

/**
 * Charges the payment that the checkout has begun to the advertiser's saved card. The advertiser is there, so their bank may
 * ask them to confirm. Whether the ad is paid, the browser's report and the provider's event tell, as after the card form.
 */
export async function paySaved(
  ctx: Context,
  who: Caller,
  { body: { adPublicId, cardId } }: Parsed<typeof payWithSavedCard>,
): Promise<Reply<typeof payWithSavedCard>> {
  await ctx.limits('payment-saved-card', { points: 60, seconds: 3600 })(String(personOf(who)));
  const kept = await findKeptCard(ctx.db, who.id, ctx.payments.book, cardId);
  if (kept === null) throw notFound(CARD_GONE);
  const payment = await findOpenPaymentOf(ctx.db, who.id, adPublicId);
  if (payment === null) throw conflict('This payment was closed. Please reload the page.');
  const { network } = payment;
  await ctx.db.transaction().execute((tx) => refuseCardTesting(ctx, tx, { userId: who.id, network }));
  const charged = await answering(
    ctx,
    () => 'If your card was charged, the ad goes live by itself. Check My Campaigns before you try again.',
    async () => {
      const intent = await payableIntent(ctx, payment);
      if (intent === null) throw conflict('This payment was closed. Please reload the page.');
      const returnUrl = `${ctx.config.publicUrl}/checkout/${adPublicId}`;
      // An intent is paid once, whatever the key. A new one lets the advertiser try a declined card again.
      const key = `on:${payment.key}:${randomUUID()}`;
      return await charge(ctx, { intentId: intent.id, cardId: kept.cardId, returnUrl }, key);
    },
  );
  if (charged.status === 'requires_action') return { paymentIntentId: charged.id, status: 'requires_action' };
  if (charged.status === 'succeeded' || charged.status === 'processing')
    return { paymentIntentId: charged.id, status: 'succeeded' };
  const { code, declineCode, message } = charged.lastError ?? {
    code: 'card_declined',
    message: 'Your card was declined.',
  };
  throw cardDeclined(message, code, declineCode);
}

async function charge(
  { payments, log }: Context,
  wanted: { intentId: string; cardId: string; returnUrl: string },
  key: string,
): Promise<PaymentIntent> {
  try {
    return await payments.chargeSaved({ ...wanted, isPresent: true }, key);
  } catch (error) {
    // The provider has forgotten the card, or keeps it for another customer.
    if (error instanceof ProviderError && (error.kind === 'invalid' || error.kind === 'not_found')) {
      log.warn({ err: error, intentId: wanted.intentId }, 'the payment provider refused a saved card');
      throw cardDeclined(CARD_GONE, 'card_not_kept');
    }
    throw error;
  }
}

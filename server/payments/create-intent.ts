import { type createPaymentIntent } from '#domain/payments/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { centsOf, decimalOf, moneyText } from '#domain/money.ts';
import { lockPayableAd } from '../ads/activate.ts';
import type { Context, Who } from '../context.ts';
import { conflict, HttpError, invalid, notFound } from '../http/errors.ts';
import { type PaymentIntent, ProviderError } from '../adapters/payment-provider.ts';
import { finalisePayment } from './finalise.ts';
import {
  findBuyer,
  findOpenPayment,
  insertPayment,
  keepCustomer,
  keepIntent,
  type Payment,
} from './store.ts';

/**
 * Begins or resumes the payment of an approved ad. Reloading or repeating the call reuses the ad's one open payment and
 * its one intent [PAY-02]. We charge the stored price; `amount` is only compared with it [OP-092].
 */
export async function createIntent(
  ctx: Context,
  who: Who,
  { body }: Parsed<typeof createPaymentIntent>,
): Promise<{ clientSecret: string }> {
  await ctx.limits('payment-intent', { points: 120, seconds: 3600 })(String(who.id));
  return { clientSecret: await intentSecret(ctx, who, body) };
}

type Claim = { amount: string; adPublicId: string };

async function intentSecret(ctx: Context, who: Who, claim: Claim): Promise<string> {
  const payment = await openPayment(ctx, who, claim);
  const intent = await intentFor(ctx, payment);
  switch (intent.status) {
    case 'requires_payment':
    case 'requires_action':
      return intent.clientSecret;
    case 'processing':
      throw conflict('The payment for this ad is being processed. Please check again in a few minutes.');
    case 'succeeded':
      await ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
      throw alreadyPaid();
    case 'canceled':
      // The provider has closed the intent. Close our payment too, then begin a new one.
      await ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
      return intentSecret(ctx, who, claim);
  }
}

const alreadyPaid = () => conflict('This ad has already been paid for. You can find it under My Campaigns.');

/** Stores the payment before the provider is called, because its id becomes the provider's idempotency key. */
function openPayment(
  ctx: Context,
  who: Who,
  claim: { amount: string; adPublicId: string },
): Promise<Payment> {
  return ctx.db.transaction().execute(async (tx) => {
    const ad = await lockPayableAd(tx, { publicId: claim.adPublicId });
    if (!ad || ad.userId !== who.id) throw notFound('Ad not found. Please reload the page.');
    if (ad.status === 'active' || ad.status === 'completed') throw alreadyPaid();
    if (ad.status !== 'approved')
      throw conflict(`This ad is ${ad.status}. Only approved ads can be paid for.`);
    if (ad.isSuspended) {
      throw conflict(
        'The marketplace operator has suspended this ad or its ad zone. It can’t be paid for now.',
      );
    }
    if (readCents(claim.amount) !== ad.amountCents) {
      throw invalid(
        `The price of this ad is ${moneyText(decimalOf(ad.amountCents), ctx.config.currency)}. Please reload the page.`,
        'amount',
      );
    }
    const { amountCents, commissionCents } = ad;
    const payment = {
      adId: ad.id,
      userId: who.id,
      book: ctx.payments.book,
      amountCents,
      commissionCents,
      currency: ctx.config.currency,
    };
    return (await findOpenPayment(tx, ad.id)) ?? insertPayment(tx, payment, ctx.now());
  });
}

/** The amount in cents, or NaN if it is invalid. NaN differs from every price. */
function readCents(amount: string): number {
  try {
    return centsOf(amount);
  } catch {
    return Number.NaN;
  }
}

async function intentFor(ctx: Context, payment: Payment): Promise<PaymentIntent> {
  if (payment.intentId !== null) return ctx.payments.getIntent(payment.intentId);
  try {
    const customerId = await customerOf(ctx, payment.userId);
    const intent = await ctx.payments.createIntent(
      {
        amount: payment.amountCents,
        currency: payment.currency,
        customerId,
        transferGroup: `ad_${payment.adId}`,
        description: `Ad ${payment.adId}`,
        metadata: { payment_id: String(payment.id), ad_id: String(payment.adId) },
      },
      `pi:${payment.id}`,
    );
    await keepIntent(ctx.db, payment.id, intent.id, ctx.now());
    return intent;
  } catch (error) {
    if (error instanceof ProviderError && error.userMessage) throw new HttpError(400, error.userMessage);
    throw error;
  }
}

async function customerOf(ctx: Context, userId: number): Promise<string> {
  const buyer = await findBuyer(ctx.db, userId);
  if (buyer.stripeCustomerId !== null) return buyer.stripeCustomerId;
  const name = [buyer.firstName, buyer.lastName].filter(Boolean).join(' ');
  const { id } = await ctx.payments.createCustomer(
    { email: buyer.email, name, metadata: { user_id: String(userId) } },
    `cus:${userId}`,
  );
  await keepCustomer(ctx.db, userId, id);
  return id;
}

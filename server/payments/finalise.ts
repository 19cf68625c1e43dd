import { adPaid, orphanPaid } from '#domain/payments/ledger.ts';
import { activateAd, lockPayableAd } from '../ads/activate.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { PaymentIntent } from '../adapters/payment-provider.ts';
import { post } from './ledger.ts';
import { beginRefund } from './refund.ts';
import { findOpenPayment, lockPayment, markCanceled, markPaid, type Payment } from './store.ts';

/**
 * What became of a payment: its ad is on air; the money came too late and goes back; the provider has no money yet;
 * or the intent is closed for good.
 */
export type Outcome = 'paid' | 'orphaned' | 'waiting' | 'closed';

/**
 * Brings a payment to where the provider's intent says it is. payment-success, the provider's event and the
 * reconciliation all end here, in any order and at once, and exactly one of them activates the ad (PAY-01).
 *
 * Money for an ad that cannot go live any more is booked as owed to the buyer and refunded in full (PAY-06). Throws
 * when the intent is not the one of this payment.
 */
export async function finalisePayment(
  ctx: Context,
  tx: Tx,
  known: Payment,
  intent: PaymentIntent,
): Promise<Outcome> {
  const ad = await lockPayableAd(tx, { id: known.adId });
  if (!ad) throw new Error(`Payment ${known.id} is for ad ${known.adId}, which is gone`);
  const payment = await lockPayment(tx, known.id);
  if (payment.status === 'succeeded') return 'paid';
  if (payment.status === 'orphaned') return 'orphaned';
  if (intent.status === 'canceled') {
    // An ad has one open payment at most: this one, if it is open.
    if (payment.status === 'open') await markCanceled(tx, [ad.id], ctx.now());
    return 'closed';
  }
  if (intent.status !== 'succeeded') return payment.status === 'canceled' ? 'closed' : 'waiting';

  const chargeId = chargeOf(ctx, payment, intent);
  const paidAt = ctx.now();
  const inTime = payment.status === 'open' && ad.status === 'approved';
  await markPaid(tx, payment.id, inTime ? 'succeeded' : 'orphaned', { chargeId, paidAt });
  const booking = { externalRef: chargeId, book: payment.book, occurredAt: paidAt };
  if (!inTime) {
    await post(tx, { kind: 'orphan_paid', ...booking, entries: orphanPaid(ad.id, payment.amountCents) });
    await beginRefund(ctx, tx, payment, 'The ad could no longer go live');
    ctx.log.error(
      { paymentId: payment.id, adId: ad.id, adStatus: ad.status },
      'a payment came for an ad that is not for sale; refunding it',
    );
    return 'orphaned';
  }
  if (!(await activateAd(ctx, tx, ad.id, { intentId: intent.id, paidAt }))) {
    throw new Error(`Ad ${ad.id} was approved and locked, and yet could not be activated`);
  }
  await post(tx, {
    kind: 'paid',
    ...booking,
    entries: adPaid({
      id: ad.id,
      amountCents: payment.amountCents,
      commissionCents: payment.commissionCents,
    }),
  });
  return 'paid';
}

/** Asks the provider about the ad's open payment, if there is one with an intent, and finalises it. */
export async function finaliseOpenPayment(ctx: Context, adId: number): Promise<Outcome | null> {
  const payment = await findOpenPayment(ctx.db, adId);
  return payment ? askAndFinalise(ctx, payment) : null;
}

/** The provider is asked before the transaction begins: no transaction waits for another machine. */
export async function askAndFinalise(ctx: Context, payment: Payment): Promise<Outcome | null> {
  if (payment.intentId === null) return null;
  const intent = await ctx.payments.getIntent(payment.intentId);
  return ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
}

// Whatever does not fit means that somebody confuses intents, or tampers: nobody goes live on it.
function chargeOf(ctx: Context, payment: Payment, intent: PaymentIntent): string {
  const fits =
    intent.id === payment.intentId &&
    intent.metadata['payment_id'] === String(payment.id) &&
    intent.amount === payment.amountCents &&
    intent.amountReceived === payment.amountCents &&
    intent.currency === 'USD' &&
    ctx.payments.book === payment.book &&
    intent.live === (ctx.payments.mode === 'live');
  if (!fits || intent.chargeId === null) {
    ctx.log.error({ paymentId: payment.id, intentId: intent.id }, 'an intent does not fit its payment');
    throw new Error(`Intent ${intent.id} does not fit payment ${payment.id}`);
  }
  return intent.chargeId;
}

import { adPaid, orphanPaid } from '#domain/payments/ledger.ts';
import { activateAd, lockPayableAd } from '../ads/activate.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { PaymentIntent } from '../adapters/payment-provider.ts';
import { post } from './ledger/post.ts';
import { beginRefund } from './refunds/begin.ts';
import { findOpenPayment, lockPayment, markCanceled, markPaid, type Payment } from './store.ts';

/**
 * The state of a payment: `paid` when its ad is live, `orphaned` when the money came too late and is refunded, `waiting`
 * when the provider has no money yet, `closed` when the intent was canceled.
 */
export type Outcome = 'paid' | 'orphaned' | 'waiting' | 'closed';

/**
 * Updates a payment to the state of the provider's intent. The payment-success call, the provider's event and the
 * reconciliation all call this function, in any order and concurrently, and exactly one of them activates the ad
 * [PAY-01].
 *
 * Money for an ad that can no longer go live is booked as owed to the advertiser and refunded in full [PAY-06]. Throws
 * if the intent does not belong to this payment.
 */
export async function finalisePayment(
  ctx: Context,
  tx: Tx,
  known: Payment,
  intent: PaymentIntent,
): Promise<Outcome> {
  const ad = await lockPayableAd(tx, { id: known.adId });
  if (!ad) throw new Error(`Payment ${known.id} belongs to ad ${known.adId}, which does not exist`);
  const payment = await lockPayment(tx, known.id);
  if (payment.status === 'succeeded') return 'paid';
  if (payment.status === 'orphaned') return 'orphaned';
  if (intent.status === 'canceled') {
    // markCanceled closes all open payments of an ad. An ad has at most one.
    if (payment.status === 'open') await markCanceled(tx, [ad.id], ctx.now());
    return 'closed';
  }
  if (intent.status !== 'succeeded') return payment.status === 'canceled' ? 'closed' : 'waiting';

  const chargeId = chargeOf(ctx, payment, intent);
  const paidAt = ctx.now();
  const inTime = payment.status === 'open' && ad.status === 'approved';
  await markPaid(tx, payment.id, inTime ? 'succeeded' : 'orphaned', { chargeId, paidAt });
  const booking = {
    externalRef: chargeId,
    book: payment.book,
    currency: payment.currency,
    occurredAt: paidAt,
    recordedAt: paidAt,
    adId: ad.id,
  };
  if (!inTime) {
    await post(tx, { kind: 'orphan_paid', ...booking, entries: orphanPaid(ad.id, payment.amountCents) });
    await beginRefund(ctx, tx, payment, { amountCents: payment.amountCents, cause: 'too_late' });
    ctx.log.error(
      { paymentId: payment.id, adId: ad.id, adStatus: ad.status },
      'a payment arrived for an ad that can no longer go live; refunding it',
    );
    return 'orphaned';
  }
  if (!(await activateAd(ctx, tx, ad.id, { intentId: intent.id, paidAt }))) {
    throw new Error(`Ad ${ad.id} is approved and locked but could not be activated`);
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

/** Finalizes the ad's open payment; returns null if it has none, or none with an intent. */
export async function finaliseOpenPayment(ctx: Context, adId: number): Promise<Outcome | null> {
  const payment = await findOpenPayment(ctx.db, adId);
  return payment ? askAndFinalise(ctx, payment) : null;
}

/** Fetches the intent before the transaction begins, so that no transaction stays open during a network call. */
export async function askAndFinalise(ctx: Context, payment: Payment): Promise<Outcome | null> {
  if (payment.intentId === null) return null;
  const intent = await ctx.payments.getIntent(payment.intentId);
  return ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
}

// A mismatch means a mixed-up or forged intent, so the ad must not go live on it.
function chargeOf(ctx: Context, payment: Payment, intent: PaymentIntent): string {
  const matches =
    intent.id === payment.intentId &&
    intent.metadata['payment_id'] === String(payment.id) &&
    intent.amount === payment.amountCents &&
    intent.amountReceived === payment.amountCents &&
    intent.currency === payment.currency &&
    ctx.payments.book === payment.book &&
    intent.live === (ctx.payments.mode === 'live');
  if (!matches || intent.chargeId === null) {
    ctx.log.error({ paymentId: payment.id, intentId: intent.id }, 'an intent does not match its payment');
    throw new Error(`Intent ${intent.id} does not match payment ${payment.id}`);
  }
  return intent.chargeId;
}

/**
 * The steps from a charge at the provider to its payment and its ad:
 * 1. lock the ad and the payment
 * 2. if nothing was charged, close the payment or wait
 * 3. if the charge is recorded, only its fee may be new
 * 4. set money aside that is not as agreed (book-charge.ts)
 * 5. take the days of the ad, unless the money came too late, and the tax of the time of the charge (tax.ts)
 * 6. record the charge, and end the consent of the ad
 * 7. make the ad live and book the sale, or book the money as owed and refund it
 * 8. book the fee
 * 9. issue the receipt, and notify both sides
 */
import { adPaid, orphanPaid } from '#domain/payments/ledger.ts';
import { priceOf } from '#domain/payments/refunds.ts';
import { activateAd, lockPayableAd, type PayableAd, startFor } from '#server/ads/life/activate.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import type { PaymentIntent } from '#server/platform/provider/payment-provider.ts';
import { mailHeld } from '#server/notify/mails/operator-mail.ts';
import { notify } from '#server/notify/notify.ts';
import { issueReceipt } from '../documents/issue.ts';
import { post } from '../ledger/post.ts';
import { postOfSale } from '../ledger/tax.ts';
import { holdIfSamePerson } from '../payees/same-person.ts';
import { beginWholeRefund } from '../refunds/begin.ts';
import { differences } from './agreement.ts';
import { cardHash } from './attempts.ts';
import { bookFee, bookingOf, feeDueAt, setAside } from './book-charge.ts';
import { endConsentOfAd } from './consent-rows.ts';
import { findIntent } from './intents.ts';
import {
  findOpenPayment,
  lockPayment,
  markOneCanceled,
  markPaid,
  markSettled,
  type Payment,
} from './payment.ts';
import { taxAtCharge } from './tax.ts';

/**
 * The state of a payment: `paid` when its ad is live, `orphaned` when the money came too late and is refunded, `suspense`
 * when the money is not as agreed and the operator has to look at it, `processing` when the bank has not decided,
 * `waiting` when no card was charged yet, `closed` when the intent was canceled.
 */
export type Outcome = 'paid' | 'orphaned' | 'suspense' | 'processing' | 'waiting' | 'closed';

/**
 * Updates a payment to the state of the provider's intent. The payment-success call, the provider's event and the
 * checks all call this function, in any order and concurrently, and exactly one of them activates the ad [HOOK-01].
 *
 * A payment that is as agreed gets a receipt. Money for an ad that can no longer go live is booked as owed to the
 * advertiser and refunded in full [HOOK-05]. Money that differs from the agreed payment is booked as suspense, and no ad
 * goes live on it [HOOK-03].
 */
export async function finalisePayment(
  ctx: Context,
  tx: Tx,
  known: Payment,
  intent: PaymentIntent,
): Promise<Outcome> {
  const ad = await lockPayableAd(tx, { id: known.adId });
  if (!ad) throw new Error(`Payment ${known.id} belongs to ad ${known.adId}, which does not exist`);
  const agreed = await lockPayment(tx, known.id);
  const recorded = OUTCOME_OF_CHARGED[agreed.status];
  const now = ctx.now();
  if (recorded === undefined && intent.status !== 'succeeded') {
    if (intent.status === 'canceled') {
      await markOneCanceled(tx, agreed.id, { at: now, nextCheckAt: now });
      await markSettled(tx, agreed.id);
    }
    if (intent.status === 'canceled' || agreed.status === 'canceled') return 'closed';
    return intent.status === 'processing' ? 'processing' : 'waiting';
  }

  const wrong = differences(ctx, agreed, intent, await installationId(tx));
  const card = cardHash(ctx, intent);
  const { chargeId } = intent;
  const charge = { payment: agreed, intent, wrong, card, at: now };
  if (recorded !== undefined) {
    if (agreed.chargeId === chargeId) await bookFee(ctx, tx, charge);
    return recorded;
  }
  if (wrong.length > 0 || chargeId === null) {
    await setAside(ctx, tx, charge);
    return 'suspense';
  }

  const isPayable = agreed.status === 'open' && ad.status === 'approved' && !isTooLate(ad, intent, now);
  const start = isPayable ? await startFor(tx, ad, now) : null;
  const inTime = start !== null;
  const payment = await taxAtCharge(ctx, tx, agreed, { ad, at: intent.chargedAt ?? now });
  const paid = { chargeId, paidAt: now, nextCheckAt: feeDueAt(intent, now), card };
  await markPaid(tx, payment.id, inTime ? 'succeeded' : 'orphaned', paid);
  await endConsentOfAd(tx, ad.id, inTime ? 'paid' : 'failed', now);

  const booking = bookingOf(payment, intent, now);
  if (inTime) {
    if (!(await activateAd(ctx, tx, ad, { intentId: intent.id, paidAt: now, start })))
      throw new Error(`Ad ${ad.id} is approved and locked but could not be activated`);
    const { amountCents, commissionCents } = payment;
    const entries = adPaid({ id: ad.id, amountCents, commissionCents });
    await postOfSale(tx, { kind: 'paid', ...booking, entries }, `paid:${payment.id}`);
    await mailHeld(ctx, tx, await holdIfSamePerson(tx, { ...payment, card }, now), 'same_person');
  } else {
    await post(tx, { kind: 'orphan_paid', ...booking, entries: orphanPaid(ad.id, payment.amountCents) });
    await beginWholeRefund(tx, { ...priceOf(payment), paymentId: payment.id, cause: 'too_late' }, now);
    ctx.log.error(
      { paymentId: payment.id, adId: ad.id, adStatus: ad.status },
      'a payment arrived for an ad that can no longer go live; refunding it',
    );
  }
  await bookFee(ctx, tx, charge);
  const receipt = await issueReceipt(ctx, tx, { paymentId: payment.id, chargedAt: intent.chargedAt });
  if (inTime) await notify(ctx, tx, { kind: 'ad-live', adId: ad.id, receipt });
  return inTime ? 'paid' : 'orphaned';
}

/** Whether the card was charged when the ad held its slots no longer. The job that frees them may be late. */
const isTooLate = ({ payBy }: PayableAd, { chargedAt }: PaymentIntent, now: Date): boolean =>
  payBy !== null && (chargedAt ?? now) >= payBy;

const OUTCOME_OF_CHARGED: Partial<Record<Payment['status'], Outcome>> = {
  succeeded: 'paid',
  orphaned: 'orphaned',
  suspense: 'suspense',
};

/** Finalizes the ad's open payment; returns null if it has none, or none that the provider could know. */
export async function finaliseOpenPayment(ctx: Context, adId: number): Promise<Outcome | null> {
  const payment = await findOpenPayment(ctx.db, adId);
  return payment ? askAndFinalise(ctx, payment) : null;
}

/**
 * Fetches the intent before the transaction begins, so that no transaction stays open during a network call. Returns null
 * if the provider does not know the intent, or is another one than that of the payment.
 */
export async function askAndFinalise(ctx: Context, payment: Payment): Promise<Outcome | null> {
  const intent = await findIntent(ctx, payment);
  if (intent === null) return null;
  return ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
}

/** The money of a charge in the ledger, unless it is a sale: its fee, and money that is not as agreed. */
import { CURRENCIES, type Currency } from '#domain/money.ts';
import { setAside as setAsideEntries } from '#domain/payments/ledger.ts';
import { FIRST_CHECK_MS } from '#domain/payments/limits.ts';
import { later } from '#domain/time.ts';
import type { PaymentIntent } from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { mailSuspense } from '#server/notify/mails/operator-mail.ts';
import { isBookable, postFee } from '../ledger/fees.ts';
import { type LedgerTransaction, post } from '../ledger/post.ts';
import { markPaid, markSettled, type Payment } from './payment.ts';

/** A charge of the provider. `wrong`: the fields that are not as agreed. `card`: its keyed hash. */
export type Charge = {
  payment: Payment;
  intent: PaymentIntent;
  wrong: readonly string[];
  card: string | null;
  at: Date;
};

/** The members that all entries about a charge share. */
export const bookingOf = (payment: Payment, intent: PaymentIntent, at: Date) =>
  ({
    externalRef: intent.chargeId ?? intent.id,
    book: payment.book,
    currency: payment.currency,
    occurredAt: intent.chargedAt ?? at,
    recordedAt: at,
    adId: payment.adId,
  }) satisfies Partial<LedgerTransaction>;

/** When to ask for the fee of a charge; null if the provider knows it. */
export const feeDueAt = ({ balanceTransaction }: PaymentIntent, at: Date): Date | null =>
  balanceTransaction ? null : later(at, FIRST_CHECK_MS);

/** Records a charge that is not as agreed, and books its money as suspense, as far as it is in our book. */
export async function setAside(
  ctx: Context,
  tx: Tx,
  { payment, intent, wrong, card, at }: Charge,
): Promise<void> {
  const currency = bookedCurrency(intent, wrong);
  const entries = currency ? setAsideEntries(intent.amountReceived) : [];
  const isBooked = currency !== undefined && entries.length > 0;
  ctx.log.error(
    { paymentId: payment.id, intentId: intent.id, wrong, booked: isBooked },
    'the money of an intent is not as agreed; the operator has to look at it',
  );
  await markPaid(tx, payment.id, 'suspense', {
    chargeId: intent.chargeId,
    paidAt: at,
    nextCheckAt: isBooked ? feeDueAt(intent, at) : null,
    ...(isBooked && { received: { receivedCents: intent.amountReceived, receivedCurrency: currency } }),
    card,
  });
  if (isBooked) {
    const meta = { wrong: wrong.join(' ') };
    await post(tx, { kind: 'suspense', ...bookingOf(payment, intent, at), currency, meta, entries });
  }
  await mailSuspense(ctx, tx, `The payment ${payment.id} for ad ${payment.adId} is not as agreed.`);
}

/** Books the provider's fee of a recorded charge as soon as the provider knows it. The payment is checked until then. */
export async function bookFee(ctx: Context, tx: Tx, { payment, intent, wrong, at }: Charge): Promise<void> {
  const { balanceTransaction } = intent;
  const currency = bookedCurrency(intent, wrong);
  if (balanceTransaction === null || currency === undefined) return;
  if (!isBookable(balanceTransaction)) {
    // The sale must not fail because of it.
    ctx.log.error(
      { paymentId: payment.id, currency: balanceTransaction.currency },
      'the provider settles in a currency that the ledger does not have; the fee is not booked',
    );
    return;
  }
  await postFee(tx, {
    book: payment.book,
    currency,
    adId: payment.adId,
    amountCents: intent.amountReceived,
    transaction: balanceTransaction,
    recordedAt: at,
  });
  await markSettled(tx, payment.id);
}

/** The currency in which the money of an intent is in our book, given the fields that are not as agreed. */
function bookedCurrency(intent: PaymentIntent, wrong: readonly string[]): Currency | undefined {
  const isElsewhere = ['book', 'mode', 'installation'].some((each) => wrong.includes(each));
  return isElsewhere ? undefined : CURRENCIES.find((each) => each === intent.currency);
}

import { DAYS_FREED_REASON } from '#domain/ads/booking.ts';
import { centsOf, decimalOf, moneyText } from '#domain/money.ts';
import type { ReceiptFor } from '#domain/payments/contract.ts';
import { FIRST_CHECK_MS, MINIMUM_CENTS } from '#domain/payments/limits.ts';
import type { Tax } from '#domain/payments/tax.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { lockPayableAd, type PayableAd, requireStartFor } from '#server/ads/life/activate.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
import { refuseCardTesting } from './attempts.ts';
import { closePayment } from './close.ts';
import {
  type Agreement,
  findAgreement,
  findOpenPayment,
  hasSuspense,
  insertPayment,
  keepAgreement,
  type Payment,
} from './payment.ts';
import { paymentTax, taxNow } from './tax.ts';

/** The provider forgets an idempotency key after a day. After that, the same key would create a second intent. */
const KEY_LIFE_MS = 23 * HOUR_MS;

type Claim = {
  amount: string;
  adPublicId: string;
  receiptFor?: ReceiptFor | null | undefined;
  acceptedTerms?: number | undefined;
};

/**
 * Stores the payment before the provider is called, because its key becomes the provider's idempotency key. Throws
 * HttpError if the ad cannot be paid for now, before it writes anything.
 */
export async function openPayment(
  ctx: Context,
  tx: Tx,
  { userId, network }: { userId: number; network: string },
  claim: Claim,
): Promise<Payment> {
  const ad = await lockPayableAd(tx, { publicId: claim.adPublicId });
  if (!ad || ad.userId !== userId) throw notFound('Ad not found. Please reload the page.');
  await requirePayable(ctx, tx, ad, claim.amount);
  await refuseCardTesting(ctx, tx, { userId, network });
  const open = await findOpenPayment(tx, ad.id);
  const before = open && (await findAgreement(tx, open.id));
  // Without a receipt in the call, that of an earlier call stays.
  const { tax, ...check } = await taxNow(
    ctx,
    tx,
    userId,
    claim.receiptFor === undefined ? before?.receiptFor : claim.receiptFor,
  );
  const agreement: Agreement = {
    network,
    ...check,
    ...(claim.acceptedTerms !== undefined && { acceptedTerms: claim.acceptedTerms }),
    ...(claim.receiptFor !== undefined && { receiptFor: withCountry(claim.receiptFor, tax) }),
  };
  const now = ctx.now();
  // The price contains the tax, so a new rate needs no other intent.
  const taxed = { ...agreement, ...(await paymentTax(ctx, tx, ad, tax)) };
  if (open !== null && isUsable(ctx, open, now)) {
    await keepAgreement(tx, open.id, taxed);
    return open;
  }
  if (open) await closePayment(ctx, tx, open);
  return await insertPayment(
    tx,
    {
      adId: ad.id,
      userId,
      book: ctx.payments.book,
      amountCents: ad.amountCents,
      currency: ctx.config.currency,
      nextCheckAt: later(now, FIRST_CHECK_MS),
      ...taxed,
    },
    now,
  );
}

export const alreadyPaid = () =>
  conflict('This ad has already been paid for. You can find it under My Campaigns.');
export const tooLate = () => conflict('This ad can no longer go live. We will refund your payment in full.');
export const notAsAgreed = () =>
  conflict(
    'A payment for this ad is not as agreed, so the marketplace operator is checking it. You can’t pay for this ad until then. Contact the operator if you hear nothing.',
  );

/** The receipt names the country by which it is taxed. */
const withCountry = (receiptFor: ReceiptFor | null, tax: Tax | null): ReceiptFor | null =>
  receiptFor && tax && !receiptFor.country ? { ...receiptFor, country: tax.country } : receiptFor;

// After a change of provider or currency, or when the provider may have forgotten the key, a new payment is begun.
function isUsable(ctx: Context, open: Payment, now: Date): boolean {
  if (open.book !== ctx.payments.book || open.currency !== ctx.config.currency) return false;
  return open.intentId !== null || later(open.createdAt, KEY_LIFE_MS) > now;
}

async function requirePayable(ctx: Context, tx: Tx, ad: PayableAd, amount: string): Promise<void> {
  if (ad.status === 'active' || ad.status === 'completed') throw alreadyPaid();
  if (ad.status !== 'approved') throw conflict(`This ad is ${ad.status}. Only approved ads can be paid for.`);
  if (ad.isSuspended) {
    throw conflict(
      'The marketplace operator has suspended this ad or its ad zone. It can’t be paid for now.',
    );
  }
  if (ad.isTargetPaused) {
    throw conflict(
      'The target of this ad leads somewhere else than approved. It can’t be paid for until the publisher accepts that.',
    );
  }
  if (!ad.isZoneOffered) {
    throw conflict(
      'The publisher has paused this ad zone or its website, so the ad can’t be paid for now. Try again when it is active.',
    );
  }
  if (ad.payBy !== null && ad.payBy <= ctx.now())
    throw conflict(`${DAYS_FREED_REASON}. Submit the ad again to book other days.`);
  await requireStartFor(tx, ad, ctx.now());
  if (await hasSuspense(tx, ad.id)) throw notAsAgreed();
  if (readCents(amount) !== ad.amountCents) {
    throw invalid(
      `The price of this ad is ${moneyText(decimalOf(ad.amountCents), ctx.config.currency)}. Please reload the page.`,
      'amount',
    );
  }
  const minimum = MINIMUM_CENTS[ctx.config.currency];
  if (ad.amountCents < minimum) {
    throw invalid(
      `The amount must be at least ${moneyText(decimalOf(minimum), ctx.config.currency)}. Choose another pricing option.`,
    );
  }
}

/** The amount in cents, or NaN if it is invalid. NaN differs from every price. */
function readCents(amount: string): number {
  try {
    return centsOf(amount);
  } catch {
    return Number.NaN;
  }
}

import type { Parsed } from '#domain/endpoint.ts';
import { decimalOf } from '#domain/money.ts';
import type { getRefundQuote, RefundQuote } from '#domain/payments/refund-contract.ts';
import { cancelSentence } from '#domain/payments/cancels.ts';
import { QUOTE_VALID_MS, refundableOf } from '#domain/payments/refunds.ts';
import { later } from '#domain/time.ts';
import { type PayableAd, lockPayableAd } from '#server/ads/life/activate.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { cancelTerms } from './cancel-terms.ts';
import { networkHash } from '../../provider-requests/hashes.ts';
import { earnedAt } from '../../ledger/accrue.ts';
import { findPrice, sumRefunds } from '../store.ts';
import { keepQuote } from './store-quotes.ts';

/** The units and the amount are those of `at`. */
export type Quote = { delivered: number; bought: number; refundCents: number; keptCents: number };

/** Quotes the refund of a cancellation now. Keeps the quote, so that it can be honored. [REFU-05] */
export async function quoteRefund(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getRefundQuote>,
  { ip }: { ip: string },
): Promise<RefundQuote> {
  // The quote locks the ad, for which counting waits.
  await ctx.limits('refund-quote', { points: 300, seconds: 60 })(String(personOf(who)));
  return await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockOwnRunning(tx, who, params.ref);
    const now = ctx.now();
    const terms = await cancelTerms(ctx, tx, ad.id, networkHash(ctx, ip));
    const quote = await quoteAt(tx, ad.id, now, terms.feeCents);
    const isByTheDay = ad.plan.pricingModel === 'per_day';
    if (isByTheDay) await keepQuote(tx, ad.id, quote, now);
    const { delivered, bought, refundCents, keptCents } = quote;
    const validUntil = later(now, isByTheDay ? QUOTE_VALID_MS : 0).toISOString();
    const { currency } = ctx.config;
    return {
      delivered,
      bought,
      refundAmount: decimalOf(refundCents),
      validUntil,
      cancelFee: decimalOf(keptCents),
      sentence: cancelSentence({ ...terms, feeCents: keptCents, currency }),
      cancelsLeft: terms.left,
    };
  });
}

/**
 * Locks one of the advertiser's own campaigns. Throws 404 if it belongs to another user, and 409 unless it is running.
 */
export async function lockOwnRunning(
  tx: Tx,
  who: Caller,
  ref: Parameters<typeof lockPayableAd>[1],
): Promise<PayableAd> {
  const ad = await lockPayableAd(tx, ref);
  if (!ad || ad.userId !== who.id) throw notFound('Ad not found. Please reload the page.');
  if (ad.status !== 'active') throw conflict('This campaign isn’t running, so there is nothing to cancel.');
  if (ad.isCancelWaiting)
    throw conflict('You have canceled this campaign. The refund waits for the marketplace’s check.');
  if (ad.isDisputed) {
    throw conflict(
      'You have disputed this payment with your bank, so the campaign can’t be canceled until the bank has decided.',
    );
  }
  return ad;
}

export async function quoteAt(tx: Tx, adId: number, at: Date, feeCents: number): Promise<Quote> {
  const [earned, paid] = [await earnedAt(tx, adId, at), await findPrice(tx, adId)];
  if (!earned || !paid) throw new Error(`Ad ${adId} is running, but it has no payment`);
  const leftCents = refundableOf(paid.price, earned, await sumRefunds(tx, paid.paymentId));
  const keptCents = Math.min(feeCents, leftCents);
  return { delivered: earned.units, bought: earned.bought, refundCents: leftCents - keptCents, keptCents };
}

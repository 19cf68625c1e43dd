import { decimalOf } from '#domain/money.ts';
import { refundableOf } from '#domain/payments/refunds.ts';
import { lockPayableAd } from '#server/ads/life/activate.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { accrueAd, earnedAt } from '../ledger/accrue.ts';
import { beginRefund } from './begin.ts';
import { endAndRefund } from './end.ts';
import { findPrice, isRefundBegun, lockPaymentOfAd, sumRefunds } from './store.ts';

export type OperatorRefund = {
  adId: number;
  /** Null: everything that is left. */
  amountCents: number | null;
  reason: string;
  /** Two refunds with one `ref` are the same one. */
  ref?: string | undefined;
};

/** What an operator can refund of an ad now, in cents. Changes nothing. 0 if nothing was paid. [REFU-06] */
export async function refundableNow(ctx: Context, adId: number): Promise<number> {
  const { db } = ctx;
  const [paid, earned] = [await findPrice(db, adId), await earnedAt(db, adId, ctx.now())];
  if (!paid || !earned) return 0;
  return refundableOf(paid.price, earned, await sumRefunds(db, paid.paymentId));
}

/**
 * The operator refunds all or a part of the price that an ad has not earned, in the caller's transaction. If nothing is
 * left, a running campaign ends. After a partial refund it runs on until the rest is earned (endings.ts). Throws 404,
 * 400 for an amount of zero, or 409 if nothing was paid, the amount is more than what is left, or this refund was made already. [REFU-06]
 */
export async function refundByOperator(
  ctx: Context,
  tx: Tx,
  { adId, amountCents, reason, ref }: OperatorRefund,
): Promise<{ refundCents: number; isEnded: boolean }> {
  const ad = await lockPayableAd(tx, { id: adId });
  if (!ad) throw notFound('There is no ad with this number.');
  const payment = await lockPaymentOfAd(tx, adId);
  const now = ctx.now();
  const earned = payment && (await accrueAd(ctx, tx, adId, now));
  if (!payment || !earned) throw conflict('This ad has not been paid for, so there is nothing to refund.');
  if (ref !== undefined && (await isRefundBegun(tx, ref)))
    throw conflict('This refund was made already. Reload the page to make another one.');
  const refunded = await sumRefunds(tx, payment.id);
  const left = refundableOf(payment.price, earned, refunded);
  const wanted = amountCents ?? left;
  if (left === 0) throw conflict('Nothing is left to refund: everything was delivered or refunded.');
  if (wanted <= 0) throw invalid('The amount must be more than zero.', 'amount');
  if (wanted > left) {
    throw conflict(
      `Only ${decimalOf(left)} ${payment.currency} is left to refund. The rest was delivered or refunded.`,
    );
  }
  if (wanted === left && ad.status === 'active') {
    await endAndRefund(ctx, tx, { adId, endedReason: 'operator', at: now, note: reason });
    return { refundCents: wanted, isEnded: true };
  }
  const refund = { amountCents: wanted, cause: 'operator', earned, refunded, note: reason, ref } as const;
  await beginRefund(tx, payment, refund, now);
  await notify(ctx, tx, { kind: 'ad-refunded', adId, amountCents: wanted, reason });
  return { refundCents: wanted, isEnded: false };
}

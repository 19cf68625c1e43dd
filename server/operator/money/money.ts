/** Operators' acts about money. Each has its entry in the audit trail. */
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { refuseCancel, releaseCancel } from '#server/money/refunds/cancelling/cancel-terms.ts';
import { refundByOperator } from '#server/money/refunds/by-operator.ts';
import { findRefundByRef } from '#server/money/books/list.ts';
import { type MoneyRun, runMoneyWork } from '#server/money/books/run.ts';
import { refuseWhileWaiting } from '#server/money/provider-requests/answer-time.ts';
import { settleByHand } from '#server/money/refunds/by-hand.ts';
import { retryRefund } from '#server/money/refunds/send.ts';
import { type Operator, perform, reasonWithAmount, record } from '../act.ts';
import { recordOfAd, requireSubject } from '../decisions/suspend.ts';

export type Refund = { id: number; amount: number | null; reason: string; ref?: string | undefined };
export type Refunded = { refundCents: number; isEnded: boolean };

/**
 * Refunds all or a part of the undelivered part of an ad's campaign. `check` may refuse when the amount is known. Throws
 * 404, or 409 if the ad was never paid or less than `amount` is left. [REFU-06]
 */
export async function refundAd(
  ctx: Context,
  operator: Operator,
  refund: Refund,
  check: (tx: Tx, refunded: Refunded) => Promise<void> = async () => {},
): Promise<Refunded> {
  return await perform(ctx, operator, async (tx) => {
    const refunded = await refundNow(ctx, tx, operator, refund);
    await check(tx, refunded);
    return refunded;
  });
}

export async function refundNow(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { id, amount, reason, ref }: Refund,
): Promise<Refunded> {
  const { name, ownerId } = await requireSubject(tx, 'ad', id);
  const refunded = await refundByOperator(ctx, tx, { adId: id, amountCents: amount, reason, ref });
  await record(ctx, tx, operator, {
    act: 'refund',
    subject: 'ad',
    subjectId: id,
    subjectName: name,
    affectedId: ownerId,
    reason: reasonWithAmount(refunded.refundCents, ctx.config.currency, reason),
  });
  return refunded;
}

/**
 * Does all money work that is due. The act is recorded before, because the work is not one transaction. Throws 409 while
 * everything outgoing waits.
 */
export async function runByOperator(
  ctx: Context,
  operator: Operator,
  { reason }: { reason: string },
): Promise<MoneyRun> {
  await refuseWhileWaiting(ctx);
  await perform(ctx, operator, async (tx) => {
    const job = { subject: 'job', subjectId: 0, subjectName: 'money work', affectedId: null } as const;
    await record(ctx, tx, operator, { act: 'retry-job', ...job, reason });
  });
  return await runMoneyWork(ctx);
}

/**
 * Sends an owed refund again, at once and under a new key. Throws 404, or 409 if it is done or everything outgoing is on
 * hold. With `dryRun` nothing is sent. [REFU-06]
 */
export async function sendRefundAgain(
  ctx: Context,
  operator: Operator,
  { ref, reason }: { ref: string; reason: string },
): Promise<{ id: string; status: string }> {
  await refuseWhileWaiting(ctx);
  const refund = await findRefundByRef(ctx.db, ref);
  if (!refund) throw notFound('There is no refund with this id. `openslot money list` shows the ids.');
  await perform(ctx, operator, async (tx) => {
    if (refund.status === 'done') throw conflict('This refund is done.');
    await recordOfAd(ctx, tx, operator, { act: 'retry-refund', adId: refund.adId, reason });
  });
  if (!operator.dryRun) await retryRefund(ctx, refund.id);
  const { status } = (await findRefundByRef(ctx.db, ref)) ?? refund;
  return { id: ref, status };
}

/**
 * Notes that the operator has paid an owed refund from the marketplace's bank account, because the provider cannot send it:
 * after a lost dispute, or to a card that is closed. Throws 404, or 409 if it is not owed or a request is on its way.
 * [BOOK-09]
 */
export async function payRefundByHand(
  ctx: Context,
  operator: Operator,
  { ref, reason }: { ref: string; reason: string },
): Promise<void> {
  const refund = await findRefundByRef(ctx.db, ref);
  if (!refund) throw notFound('There is no refund with this id. `openslot money list` shows the ids.');
  await perform(ctx, operator, async (tx) => {
    if (!(await settleByHand(ctx, tx, refund.id)))
      throw conflict('This refund is on its way or done. `openslot money list` shows the owed refunds.');
    await recordOfAd(ctx, tx, operator, { act: 'pay-refund', adId: refund.adId, reason });
  });
}

/** Refunds a canceled campaign whose cancel has waited. Throws 404 or 409 if none waits. [OWNS-83] */
export async function releaseWaitingCancel(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<{ refundCents: number }> {
  return await perform(ctx, operator, async (tx) => {
    const refundCents = await releaseCancel(ctx, tx, id);
    await recordOfAd(ctx, tx, operator, { act: 'release-cancel', adId: id, reason });
    return { refundCents };
  });
}

/**
 * Shows a campaign again whose cancel has waited. The advertiser gets the reason. Throws 404 or 409 if none waits.
 * [OWNS-83]
 */
export async function refuseWaitingCancel(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<void> {
  await perform(ctx, operator, async (tx) => {
    await refuseCancel(ctx, tx, id, reason);
    await recordOfAd(ctx, tx, operator, { act: 'refuse-cancel', adId: id, reason });
  });
}

import { refundSent, splitRefund } from '#domain/payments/ledger.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { enqueue } from '../db/job-queue.ts';
import { notify } from '../notifications/notify.ts';
import { post } from './ledger/post.ts';
import type { Payment } from './store.ts';
import { findRefund, insertRefund, lockRefund, updateRefund } from './store-refunds.ts';

/** Records a full refund of a payment in the caller's transaction. A job sends it to the provider. */
export async function beginRefund(ctx: Context, tx: Tx, payment: Payment, reason: string): Promise<void> {
  const { commissionCents } = splitRefund(payment.amountCents);
  const refund = { paymentId: payment.id, amountCents: payment.amountCents, commissionCents, reason };
  const refundId = await insertRefund(tx, refund, ctx.now());
  await enqueue(tx, 'send-refund', { refundId });
}

/**
 * The job: sends a refund to the provider and books it. The idempotency key is made from our row's id, so that a retry
 * after a crash does not refund twice.
 */
export async function sendRefund(ctx: Context, id: number): Promise<void> {
  const known = await findRefund(ctx.db, id);
  if (!known || known.status !== 'open') return;
  const sent = await ctx.payments.refund(
    { intentId: known.intentId, amount: known.amountCents, metadata: { refund_id: String(id) } },
    `re:${id}`,
  );
  await ctx.db.transaction().execute(async (tx) => {
    const refund = await lockRefund(tx, id);
    if (refund.status !== 'open') return;
    const now = ctx.now();
    const status = sent.status === 'requires_action' ? 'pending' : sent.status;
    await updateRefund(tx, id, { refundId: sent.id, status }, now);
    if (status !== 'pending' && status !== 'succeeded') {
      ctx.log.error(
        { refundId: id, status },
        'the provider did not accept a refund; we still owe it to the advertiser',
      );
      return;
    }
    await post(tx, {
      kind: 'refund',
      externalRef: sent.id,
      book: refund.book,
      currency: refund.currency,
      occurredAt: now,
      recordedAt: now,
      adId: refund.adId,
      entries: refundSent(refund.adId, refund.amountCents),
    });
    await notify(ctx, tx, { kind: 'payment-refunded', adId: refund.adId, amountCents: refund.amountCents });
  });
}

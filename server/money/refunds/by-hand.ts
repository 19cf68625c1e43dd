import { refundByHand } from '#domain/payments/lost-disputes.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { issueCreditNote } from '../documents/issue.ts';
import { post } from '../ledger/post.ts';
import { findGoodTry, lockRefund, markPaidByHand } from './store.ts';

/**
 * Books an owed refund as paid from the marketplace's bank account, in the caller's transaction. Returns false if it is not
 * owed, or a request to the provider may still pay it. [BOOK-09]
 */
export async function settleByHand(ctx: Context, tx: Tx, id: number): Promise<boolean> {
  const refund = await lockRefund(tx, id);
  const now = ctx.now();
  if (!refund || (await findGoodTry(tx, id)) || !(await markPaidByHand(tx, id, now))) return false;
  const { ref, book, currency, adId, amountCents } = refund;
  const isPosted = await post(tx, {
    kind: 'refund_by_hand',
    externalRef: ref,
    book,
    currency,
    occurredAt: now,
    recordedAt: now,
    adId,
    entries: refundByHand(adId, amountCents),
  });
  await issueCreditNote(ctx, tx, id);
  return isPosted;
}

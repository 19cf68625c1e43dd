import type { Context } from '../../context.ts';
import { issueCreditNote, issueLossNote, issueReceipt } from './issue.ts';
import { takeUndocumented } from './store.ts';

/**
 * Makes the documents of payments, refunds and lost disputes from before Openslot had documents, each in its own
 * transaction and with the present names and addresses. Returns their number. [DOCU-01]
 */
export async function makeMissingDocuments(ctx: Context): Promise<number> {
  for (let made = 0; ; made++) {
    const isDone = await ctx.db.transaction().execute(async (tx) => {
      const missing = await takeUndocumented(tx);
      if (missing === undefined) return true;
      const { paymentId, refundId, disputeId } = missing;
      if (paymentId !== null) await issueReceipt(ctx, tx, paymentId);
      if (refundId !== null) await issueCreditNote(ctx, tx, refundId);
      if (disputeId !== null) await issueLossNote(ctx, tx, disputeId);
      return false;
    });
    if (isDone) return made;
  }
}

import type { ReceiptFor } from '#domain/payments/contract.ts';
import type { Context } from '#server/platform/context.ts';
import { inSnapshot } from '#server/platform/database/database.ts';
import { requirePrintableText } from '#server/platform/http/printed-fields.ts';
import { sellerOf } from './issue.ts';
import { findReceiptTexts } from './store.ts';

/**
 * Throws 400 if the receipt of this ad would have a letter that no font has. A receipt is made with its payment, so it is
 * too late to refuse it then. Only texts of earlier releases can have such a letter. Call it outside of a transaction,
 * because a decoder process may have to start, and counting would wait for a lock of the ad.
 */
export async function requirePrintableReceipt(
  ctx: Context,
  ad: { id: number } | { publicId: string },
  receiptFor?: ReceiptFor | null,
): Promise<void> {
  const seller = Object.values(sellerOf(ctx)).filter((text) => text !== null);
  // The advertiser's account, and the ad with it, may be deleted meanwhile.
  const texts = await inSnapshot(ctx.db, (tx) => findReceiptTexts(tx, ad, receiptFor));
  await requirePrintableText(ctx.decoders, [...texts, ...seller].join(' '));
}

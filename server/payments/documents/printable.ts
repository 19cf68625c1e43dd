import type { ReceiptFor } from '#domain/payments/contract.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { requirePrintableText } from '../../http/printed-fields.ts';
import { sellerOf } from './issue.ts';
import { findReceiptTexts } from './store.ts';

/**
 * Throws 400 if the receipt of this ad would have a letter that no font has. A receipt is made with its payment, so it is
 * too late to refuse it then. Only texts of earlier releases can have such a letter. [OWNS-114]
 */
export async function requirePrintableReceipt(
  ctx: Context,
  tx: Tx,
  sale: { userId: number; adId: number; receiptFor: ReceiptFor | null | undefined },
): Promise<void> {
  const seller = Object.values(sellerOf(ctx)).filter((text) => text !== null);
  for (const text of [...(await findReceiptTexts(tx, sale)), ...seller]) await requirePrintableText(text);
}

import { decimalOf } from '#domain/money.ts';
import type { LeftBehind } from '#domain/payments/left-behind.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { accrueAd } from '../ledger/accrue.ts';
import { listDueOf, sumLeft } from './store-left.ts';

/**
 * The money that a user would leave behind: running campaigns on either side, earnings that are not paid out, open
 * disputes about their purchases and sales, and refunds that have not arrived. Posts first the earnings of `adIds` up
 * to now. The caller has locked these ads. Money of test books counts only while their provider is the present one.
 * [GONE-01]
 */
export async function leftBehindBy(
  ctx: Context,
  tx: Tx,
  { userId, adIds }: { userId: number; adIds: readonly number[] },
): Promise<LeftBehind> {
  for (const adId of await listDueOf(tx, adIds)) await accrueAd(ctx, tx, adId, ctx.now());
  const rows = await sumLeft(tx, userId, [ctx.payments.book, 'stripe-live']);
  return rows.map(({ kind, cents, currency }) => ({ kind, amount: decimalOf(Number(cents)), currency }));
}

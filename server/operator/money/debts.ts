/** Operators' acts about what publishers owe. */
import type { DebtOutcome } from '#domain/payments/debts.ts';
import { endDebt, sumWrittenOff } from '#server/money/ledger/debts.ts';
import { isTakenBack } from '#server/money/payouts/reverse.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { type Operator, perform, reasonWithAmount, record } from '../act.ts';

/** `amount` in cents; null for the whole debt. Two with one `ref` are the same one. */
export type EndedDebt = { id: number; amount: number | null; reason: string; ref?: string | undefined };

const moneyOf = ({ payments, config }: Context, publisherId: number) => ({
  publisherId,
  book: payments.book,
  currency: config.currency,
});

/** Books that a publisher has paid what they owe, and returns the cents. Throws 409 if less is owed. [BOOK-221] */
export async function bookDebtPaid(
  ctx: Context,
  operator: Operator,
  debt: EndedDebt,
): Promise<{ cents: number }> {
  return await perform(ctx, operator, async (tx) => ({
    cents: await endDebtNow(ctx, tx, operator, { ...debt, outcome: 'paid' }),
  }));
}

export async function endDebtNow(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { id, amount, reason, ref, outcome }: EndedDebt & { outcome: DebtOutcome },
): Promise<number> {
  if (await isTakenBack(ctx, tx, id))
    throw conflict('This is still being taken back from the publisher’s account. Try again in an hour.');
  const cents = await endDebt(tx, moneyOf(ctx, id), { outcome, amountCents: amount, ref, at: ctx.now() });
  await record(ctx, tx, operator, {
    act: outcome === 'paid' ? 'debt-paid' : 'write-off',
    subject: 'person',
    subjectId: id,
    // A write-off is about the marketplace's books, and no news for the debtor.
    affectedId: outcome === 'paid' ? id : null,
    reason: reasonWithAmount(cents, ctx.config.currency, reason),
  });
  return cents;
}

/** The cents of this publisher's debts that were written off. */
export const writtenOffOf = (ctx: Context, tx: Tx, userId: number): Promise<number> =>
  sumWrittenOff(tx, moneyOf(ctx, userId));

import { decimalOf, moneyText } from '#domain/money.ts';
import { earningsWaived } from '#domain/payments/ledger.ts';
import type { LeftBehind } from '#domain/payments/left-behind.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { post } from '../ledger/post.ts';
import { balancesOf } from '../ledger/balances.ts';
import { hasOpenPayout } from '../payouts/balance.ts';

/**
 * Books the earnings that a publisher gives up as the marketplace's, in the transaction that deletes their account.
 * `waivedCents` is the amount that the publisher has confirmed. Throws 409 if it differs from the payable amount, or
 * while a payout is being sent. The caller has locked the account, so that no payout begins, and nothing else is left.
 * [GONE-06]
 */
export async function waiveEarnings(
  ctx: Context,
  tx: Tx,
  { userId, waivedCents, left }: { userId: number; waivedCents: number; left: LeftBehind },
): Promise<void> {
  const { currency } = ctx.config;
  const payable: { book: PaymentBook; cents: number }[] = [];
  for (const book of new Set<PaymentBook>([ctx.payments.book, 'stripe-live'])) {
    if (await hasOpenPayout(tx, userId, book))
      throw conflict('A payout is being sent. Try again in a minute.', { left });
    const balances = await balancesOf(tx, ['publisher_payable'], userId, { book, currency }, true);
    payable.push({ book, cents: balances.get('publisher_payable') ?? 0 });
  }
  const payableCents = payable.reduce((sum, { cents }) => sum + cents, 0);
  if (payableCents !== waivedCents) {
    const amount = moneyText(decimalOf(payableCents), currency);
    throw conflict(`Your earnings that are not paid out are ${amount} now. Confirm this amount.`, { left });
  }
  const now = ctx.now();
  for (const { book, cents } of payable) {
    if (cents === 0) continue;
    await post(tx, {
      kind: 'earnings_waived',
      externalRef: `${userId}:${book}`,
      book,
      currency,
      occurredAt: now,
      recordedAt: now,
      adId: null,
      entries: earningsWaived(userId, cents),
    });
  }
}

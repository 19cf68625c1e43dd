import { CURRENCIES, type Currency } from '#domain/money.ts';
import { cleared, type Entry, exchanged } from '#domain/payments/ledger.ts';
import type { BalanceTransaction } from '#server/platform/provider/payment-provider.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { post } from './post.ts';

/** Whether the ledger has accounts in the currency that the provider settled in. */
export const isBookable = ({ currency }: Pick<BalanceTransaction, 'currency'>): boolean =>
  CURRENCIES.some((each) => each === currency);

/**
 * Books the provider's credit for a charge and its fee, under the id of its balance transaction. If it settles in
 * another currency than the charge's, the charge leaves our books through `fx` and comes back in that currency. Returns
 * false if it was booked before.
 */
export async function postFee(
  tx: Tx,
  charge: {
    book: PaymentBook;
    currency: Currency;
    adId: number;
    amountCents: number;
    transaction: BalanceTransaction;
    recordedAt: Date;
  },
): Promise<boolean> {
  const { book, currency, adId, amountCents, transaction, recordedAt } = charge;
  const settled = CURRENCIES.find((each) => each === transaction.currency);
  if (settled === undefined)
    throw new Error(`The provider settled ${transaction.id} in ${transaction.currency}, which we don't book`);
  const entry = (externalRef: string, of: Currency, entries: Entry[]) =>
    post(tx, {
      kind: 'fee',
      externalRef,
      book,
      currency: of,
      occurredAt: transaction.createdAt,
      recordedAt,
      adId,
      entries,
    });
  const { id, net, fee, amount } = transaction;
  if (settled === currency)
    return entry(id, currency, cleared({ net, fee, amount, from: 'provider_clearing' }));
  await entry(`${id}:fx`, currency, exchanged(amountCents));
  return entry(id, settled, cleared({ net, fee, amount, from: 'fx' }));
}

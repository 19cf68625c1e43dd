import { CURRENCIES, type Currency } from '#domain/money.ts';
import type { Account } from '#domain/payments/ledger.ts';
import { movedBy, refundMoved } from '#domain/payments/refunds.ts';
import type { BalanceTransaction } from '#server/platform/provider/payment-provider.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type LedgerTransaction, post } from './post.ts';

/**
 * Books that the provider took a refund from our balance, or that a failed one came back, under the id of its balance
 * transaction. If it settles in another currency than the charge's, the amount goes through `fx`. `against` stands for what
 * we owe to the advertiser of `adId`.
 */
export async function postRefund(
  tx: Tx,
  refund: {
    kind: 'refund' | 'refund_failed';
    providerId: string;
    amountCents: number;
    book: PaymentBook;
    currency: Currency;
    adId: number | null;
    against?: Account;
    transaction: BalanceTransaction;
    recordedAt: Date;
  },
): Promise<void> {
  const { kind, providerId, amountCents, book, currency, adId, transaction, recordedAt } = refund;
  const payable = refund.against ?? ({ kind: 'refund_payable', ownerId: Number(adId) } as const);
  const settled = CURRENCIES.find((each) => each === transaction.currency);
  if (settled === undefined)
    throw new Error(`The provider settled ${transaction.id} in ${transaction.currency}, which we don't book`);
  // Our debt falls when the provider takes the money, and rises when it comes back.
  const owed = kind === 'refund' ? amountCents : -amountCents;
  const entry: Omit<LedgerTransaction, 'externalRef' | 'currency' | 'entries'> = {
    kind,
    book,
    occurredAt: transaction.createdAt,
    recordedAt,
    adId,
    meta: { refund: providerId },
  };
  if (settled === currency) {
    if (transaction.amount !== -owed)
      throw new Error(`The provider moved ${transaction.amount} for the refund ${providerId} of ${owed}`);
    const entries = movedBy(transaction, payable);
    await post(tx, { ...entry, externalRef: transaction.id, currency, entries });
    return;
  }
  await post(tx, {
    ...entry,
    externalRef: `${transaction.id}:fx`,
    currency,
    entries: refundMoved(payable, owed),
  });
  const entries = movedBy(transaction, { kind: 'fx', ownerId: null });
  await post(tx, { ...entry, externalRef: transaction.id, currency: settled, entries });
}

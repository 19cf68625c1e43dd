import { sql } from 'kysely';
import { CURRENCIES, type Currency } from '#domain/money.ts';
import { disputed, disputeSettled } from '#domain/payments/ledger.ts';
import type { Shares } from '#domain/payments/refunds.ts';
import { hourOf } from '#domain/time.ts';
import type { BalanceTransaction } from '#server/platform/provider/payment-provider.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type LedgerTransaction, post } from './post.ts';
import { addEarnedHours } from './store-earnings.ts';

/**
 * Books the money that a dispute took from our balance, or brought back, under the id of its balance transaction. The
 * fee is the transaction's. If it settles in another currency than the charge's, the amount goes through `fx`.
 */
export async function postDispute(
  tx: Tx,
  dispute: {
    id: number;
    amountCents: number;
    book: PaymentBook;
    currency: Currency;
    adId: number;
    transaction: BalanceTransaction;
    recordedAt: Date;
  },
): Promise<void> {
  const { id, amountCents, book, currency, adId, transaction, recordedAt } = dispute;
  const settled = CURRENCIES.find((each) => each === transaction.currency);
  if (settled === undefined)
    throw new Error(`The provider settled ${transaction.id} in ${transaction.currency}, which we don't book`);
  const isWithdrawn = transaction.amount < 0;
  const entry: Omit<LedgerTransaction, 'externalRef' | 'currency' | 'entries'> = {
    kind: isWithdrawn ? 'dispute_withdrawn' : 'dispute_reinstated',
    book,
    occurredAt: transaction.createdAt,
    recordedAt,
    adId,
  };
  if (settled === currency) {
    const entries = disputeSettled(transaction, { kind: 'dispute_receivable', ownerId: id });
    await post(tx, { ...entry, externalRef: transaction.id, currency, entries });
    return;
  }
  const inOurCurrency = disputed(id, isWithdrawn ? amountCents : -amountCents);
  await post(tx, { ...entry, externalRef: `${transaction.id}:fx`, currency, entries: inOurCurrency });
  const entries = disputeSettled(transaction, { kind: 'fx', ownerId: null });
  await post(tx, { ...entry, externalRef: transaction.id, currency: settled, entries });
}

/** Closes the earnings of an ad, so that nothing more is earned or corrected. */
export async function closeEarnings(tx: Tx, adId: number, closedAt: Date): Promise<void> {
  await tx.updateTable('adEarnings').set({ closedAt, dueAt: null }).where('adId', '=', adId).execute();
}

/** Takes earnings of an ad back because of a lost dispute, at `at`. Negative shares return them. */
export async function takeEarnings(tx: Tx, adId: number, taken: Shares, at: Date): Promise<void> {
  const { publisherCents, commissionCents } = taken;
  if (publisherCents === 0 && commissionCents === 0) return;
  await tx
    .updateTable('adEarnings')
    .set({
      takenPublisherCents: sql`taken_publisher_cents + ${publisherCents}`,
      takenCommissionCents: sql`taken_commission_cents + ${commissionCents}`,
    })
    .where('adId', '=', adId)
    .execute();
  const hour = hourOf(at.getTime());
  await addEarnedHours(tx, adId, [
    { hour, publisherCents: -publisherCents, commissionCents: -commissionCents },
  ]);
}

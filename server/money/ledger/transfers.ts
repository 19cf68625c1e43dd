import { CURRENCIES } from '#domain/money.ts';
import type { Entry } from '#domain/payments/ledger.ts';
import { takenBack, transferred } from '#domain/payments/payouts.ts';
import { movedBy } from '#domain/payments/refunds.ts';
import type { BalanceTransaction } from '#server/platform/provider/payment-provider.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type LedgerTransaction, post } from './post.ts';
import { lockPublisher, type PublisherMoney, restoreDebt } from './debts.ts';

/** Earnings of an ad that left for a publisher's account, or came back. */
type Moved = PublisherMoney & {
  kind: 'transfer' | 'reversal';
  /** Null for the tax of self-billing documents. */
  adId: number | null;
  /** Our ids of the payout and of the transfer. */
  meta: { payout: number; transfer: number };
  amountCents: number;
  recordedAt: Date;
};

/**
 * Books that the provider moved earnings to a publisher's account (`transfer`) or back (`reversal`), under the id of its
 * balance transaction. If it settles in another currency than the charge's, the amount goes through `fx`. Returns false
 * if it was booked before.
 */
export async function postTransfer(
  tx: Tx,
  moved: Moved & { transaction: BalanceTransaction },
): Promise<boolean> {
  const { kind, book, currency, adId, meta, amountCents, transaction, recordedAt } = moved;
  const settled = CURRENCIES.find((each) => each === transaction.currency);
  if (settled === undefined)
    throw new Error(`The provider settled ${transaction.id} in ${transaction.currency}, which we don't book`);
  const sign = kind === 'transfer' ? -1 : 1;
  if (settled === currency && transaction.amount !== sign * amountCents)
    throw new Error(`The provider moved ${transaction.amount} for a ${kind} of ${amountCents}`);
  const ofPublisher = await entriesOfPublisher(tx, moved);
  const entry: Omit<LedgerTransaction, 'externalRef' | 'currency' | 'entries'> = {
    kind,
    book,
    occurredAt: transaction.createdAt,
    recordedAt,
    adId,
    meta,
  };
  const fx = { kind: 'fx', ownerId: null } as const;
  const moves = movedBy(transaction, fx);
  if (settled === currency) {
    const entries = [...moves.filter(({ account }) => account.kind !== 'fx'), ...ofPublisher];
    return await post(tx, { ...entry, externalRef: transaction.id, currency, entries });
  }
  const through: Entry = { account: fx, amountCents: sign * amountCents };
  await post(tx, {
    ...entry,
    externalRef: `${transaction.id}:fx`,
    currency,
    entries: [...ofPublisher, through],
  });
  return await post(tx, { ...entry, externalRef: transaction.id, currency: settled, entries: moves });
}

/**
 * Books that the operator's bank paid earnings to a publisher (`transfer`), or that they came back (`reversal`).
 * `externalRef` is our own name of the movement. Returns false if it was booked before. [PAYO-203]
 */
export async function postBankTransfer(
  tx: Tx,
  moved: Moved & { externalRef: string; occurredAt: Date },
): Promise<boolean> {
  const { kind, publisherId: _, amountCents, ...entry } = moved;
  const bank: Entry = {
    account: { kind: 'bank', ownerId: null },
    amountCents: kind === 'transfer' ? -amountCents : amountCents,
  };
  return await post(tx, { ...entry, kind, entries: [bank, ...(await entriesOfPublisher(tx, moved))] });
}

/** The publisher's side of a movement. Locks their balances. What comes back settles a written-off debt first. */
async function entriesOfPublisher(
  tx: Tx,
  { kind, amountCents, recordedAt, ...money }: Moved,
): Promise<Entry[]> {
  if (kind === 'reversal') await restoreDebt(tx, money, amountCents, recordedAt);
  const { payableCents, receivableCents } = await lockPublisher(tx, money);
  return kind === 'transfer'
    ? transferred(money.publisherId, amountCents, payableCents)
    : takenBack(money.publisherId, amountCents, receivableCents);
}

import { CURRENCIES, type Currency } from '#domain/money.ts';
import type { Entry } from '#domain/payments/ledger.ts';
import { netted, takenBack, transferred } from '#domain/payments/payouts.ts';
import { movedBy } from '#domain/payments/refunds.ts';
import type { BalanceTransaction } from '#server/platform/provider/payment-provider.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type LedgerTransaction, post } from './post.ts';
import { balancesOf } from './balances.ts';

export type Money = { publisherId: number; book: PaymentBook; currency: Currency };

/** Earnings of an ad that left for a publisher's account, or came back. */
type Moved = Money & {
  kind: 'transfer' | 'reversal';
  adId: number;
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

/** The publisher's side of a movement. Locks their balances. */
async function entriesOfPublisher(tx: Tx, { kind, amountCents, ...money }: Moved): Promise<Entry[]> {
  const { payableCents, receivableCents } = await lockPublisher(tx, money);
  return kind === 'transfer'
    ? transferred(money.publisherId, amountCents, payableCents)
    : takenBack(money.publisherId, amountCents, receivableCents);
}

/** Settles a publisher's debt from their payable balance. Returns the settled cents. */
export async function postNetting(tx: Tx, money: Money, at: Date): Promise<number> {
  const { publisherId, book, currency } = money;
  const { payableCents, receivableCents } = await lockPublisher(tx, money);
  const cents = Math.min(payableCents, receivableCents);
  if (cents <= 0) return 0;
  await post(tx, {
    kind: 'netting',
    externalRef: `${book}:${publisherId}:${at.toISOString()}`,
    book,
    currency,
    occurredAt: at,
    recordedAt: at,
    adId: null,
    entries: netted(publisherId, cents),
  });
  return cents;
}

/** Locks and reads the balance payable to a publisher and their debt, until the transaction ends. */
async function lockPublisher(
  tx: Tx,
  { publisherId, ...money }: Money,
): Promise<{ payableCents: number; receivableCents: number }> {
  // The first lock keeps others from adding an account between the two.
  const payable = await balancesOf(tx, ['publisher_payable'], publisherId, money, true);
  const receivable = await balancesOf(tx, ['publisher_receivable'], publisherId, money, true);
  return {
    payableCents: payable.get('publisher_payable') ?? 0,
    receivableCents: -(receivable.get('publisher_receivable') ?? 0),
  };
}

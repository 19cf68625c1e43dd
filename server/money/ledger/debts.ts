/** Debts of publishers to the marketplace. See docs/decisions/044-operator-books.md. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Currency, decimalOf, moneyText } from '#domain/money.ts';
import { debtEnded, type DebtOutcome, debtRestored } from '#domain/payments/debts.ts';
import type { Entry } from '#domain/payments/ledger.ts';
import { netted } from '#domain/payments/payouts.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { balancesOf } from './balances.ts';
import { isPosted, type LedgerTransaction, post } from './post.ts';

export type PublisherMoney = { publisherId: number; book: PaymentBook; currency: Currency };

/** Locks and reads the balance payable to a publisher and their debt, until the transaction ends. */
export async function lockPublisher(
  tx: Tx,
  { publisherId, ...money }: PublisherMoney,
): Promise<{ payableCents: number; receivableCents: number }> {
  // The first lock keeps others from adding an account between the two (docs/decisions/049-lock-order.md).
  const payable = await balancesOf(tx, ['publisher_payable'], publisherId, money, true);
  const receivable = await balancesOf(tx, ['publisher_receivable'], publisherId, money, true);
  return {
    payableCents: payable.get('publisher_payable') ?? 0,
    receivableCents: 0 - (receivable.get('publisher_receivable') ?? 0),
  };
}

/** Settles a publisher's debt from their payable balance. Returns the settled cents. */
export async function postNetting(tx: Tx, money: PublisherMoney, at: Date): Promise<number> {
  const { publisherId, book } = money;
  const { payableCents, receivableCents } = await lockPublisher(tx, money);
  const cents = Math.min(payableCents, receivableCents);
  if (cents <= 0) return 0;
  const externalRef = `${book}:${publisherId}:${at.toISOString()}`;
  await postDebt(tx, money, { kind: 'netting', externalRef, at, entries: netted(publisherId, cents) });
  return cents;
}

type Ended = { outcome: DebtOutcome; amountCents: number | null; ref?: string | undefined; at: Date };

/**
 * Books that a publisher has paid their debt to the marketplace's bank account, or that nobody ever will.
 * `amountCents` null means all of it. Returns the booked cents. Throws 409 if the publisher owes less, or if `ref` is booked already. [BOOK-221]
 */
export async function endDebt(
  tx: Tx,
  money: PublisherMoney,
  { outcome, amountCents, ref, at }: Ended,
): Promise<number> {
  const { receivableCents: owed } = await lockPublisher(tx, money);
  const kind = outcome === 'paid' ? 'debt_paid' : 'debt_written_off';
  if (ref !== undefined && (await isPosted(tx, kind, ref)))
    throw conflict('This payment is booked already. Reload the page to book another one.');
  const cents = amountCents ?? owed;
  if (owed === 0) throw conflict('This publisher owes nothing.');
  if (cents > owed) throw conflict(`This publisher owes only ${moneyText(decimalOf(owed), money.currency)}.`);
  await postDebt(tx, money, {
    kind,
    externalRef: ref ?? randomUUID(),
    at,
    entries: debtEnded(outcome, money.publisherId, cents),
  });
  return cents;
}

/**
 * Makes a publisher owe again what was written off, at most `cents`, because as much money comes back: it settles the
 * debt, and is no earnings a second time. [BOOK-222]
 */
export async function restoreDebt(tx: Tx, money: PublisherMoney, cents: number, at: Date): Promise<void> {
  await lockPublisher(tx, money);
  const restored = Math.min(cents, await sumWrittenOff(tx, money));
  if (restored <= 0) return;
  await postDebt(tx, money, {
    kind: 'debt_restored',
    externalRef: randomUUID(),
    at,
    entries: debtRestored(money.publisherId, restored),
  });
}

/** The cents of a publisher's debts that were written off and not restored. */
export const sumWrittenOff = async (tx: Tx, money: PublisherMoney): Promise<number> =>
  await sumEnded(tx, money, ['debt_written_off', 'debt_restored']);

/** The cents of a publisher's debts that were paid, or written off and not restored. */
export const sumEndedDebts = async (tx: Tx, money: PublisherMoney): Promise<number> =>
  await sumEnded(tx, money, ['debt_paid', 'debt_written_off', 'debt_restored']);

async function sumEnded(
  tx: Tx,
  { publisherId, book, currency }: PublisherMoney,
  kinds: LedgerTransaction['kind'][],
): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(-sum(p.amount_cents), 0) as cents
      from ledger_accounts a
      join ledger_postings p on p.account_id = a.id
      join ledger_tx t on t.id = p.tx_id
      where a.kind = 'publisher_receivable' and a.owner_id = ${publisherId} and a.book = ${book}
        and a.currency = ${currency} and t.kind = any(${kinds})`.execute(tx);
  return Number(rows[0]!.cents);
}

async function postDebt(
  tx: Tx,
  { book, currency }: PublisherMoney,
  { at, ...entry }: Pick<LedgerTransaction, 'kind' | 'externalRef'> & { at: Date; entries: Entry[] },
): Promise<void> {
  await post(tx, { ...entry, book, currency, occurredAt: at, recordedAt: at, adId: null });
}

/** The SQL of payouts by bank transfer, and of the files and statements about them. Amounts are cents. */
import { SEPA_CURRENCY } from '#domain/payments/limits.ts';
import { sql } from 'kysely';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isOpenHold } from '../ledger/held.ts';
import { isOfSuspended } from './store.ts';

export type BankPayout = {
  payoutId: number;
  userId: number;
  email: string;
  amountCents: number;
  currency: string;
  beganAt: Date;
  bankAccountId: number;
  holder: string;
  last4: string;
  endToEndId: string;
  /** The file that has it; null while it waits for one. */
  fileId: number | null;
};

const payouts = (tx: Tx) =>
  tx
    .selectFrom('bankPayouts as b')
    .innerJoin('payouts as p', 'p.id', 'b.payoutId')
    .innerJoin('users as u', 'u.id', 'p.userId')
    .innerJoin('bankAccounts as a', 'a.id', 'b.bankAccountId')
    .select(['b.payoutId', 'p.userId', 'u.email', 'p.amountCents', 'p.currency', 'p.createdAt as beganAt'])
    .select(['b.bankAccountId', 'a.holder', 'a.last4', 'b.endToEndId', 'b.fileId']);

/** Locks a payout by bank transfer. Returns null if there is none with this id in the book. */
export async function lockBankPayout(
  tx: Tx,
  book: PaymentBook,
  payoutId: number,
): Promise<BankPayout | null> {
  const row = await payouts(tx)
    .where('b.payoutId', '=', payoutId)
    .where('p.book', '=', book)
    // Both, so that a file that was made meanwhile is seen.
    .forNoKeyUpdate(['p', 'b'])
    .executeTakeFirst();
  return row ?? null;
}

/** The ids of the payouts with these end-to-end ids, by them. */
export async function findByEndToEnd(
  tx: Tx,
  book: PaymentBook,
  endToEndIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('bankPayouts as b')
    .innerJoin('payouts as p', 'p.id', 'b.payoutId')
    .select(['b.payoutId', 'b.endToEndId'])
    .where('p.book', '=', book)
    .where('b.endToEndId', '=', (eb) => eb.fn.any(eb.val(endToEndIds)))
    .execute();
  return new Map(rows.map(({ endToEndId, payoutId }) => [endToEndId, payoutId]));
}

/** The payouts that were not paid yet: those that wait for a file, and those that a file has. The oldest first. */
export async function listUnpaid(
  tx: Tx,
  book: PaymentBook,
  now: Date,
): Promise<(BankPayout & { isHeld: boolean })[]> {
  return await payouts(tx)
    .select(isKeptBack(now).as('isHeld'))
    .where('p.book', '=', book)
    .where('p.status', '=', 'open')
    .orderBy('b.payoutId')
    .execute();
}

/**
 * Whether a payout `p` must not leave: its publisher is suspended, or a hold that was made since it began is about all of
 * their earnings or about an ad that it pays.
 */
const isKeptBack = (now: Date) => sql<boolean>`(
  ${isOfSuspended}
  or exists (
    select from holds h
      where h.user_id = p.user_id and h.made_at >= p.created_at and ${isOpenHold(now)}
        and (h.ad_id is null or h.ad_id in (select t.ad_id from payout_transfers t where t.payout_id = p.id))))`;

export type FilePayment = BankPayout & { iban: Buffer };

/** Locks the payouts that wait for a file and may leave, by id. Another file that is made at once has none of them. */
export async function lockForFile(tx: Tx, book: PaymentBook, now: Date): Promise<FilePayment[]> {
  return await payouts(tx)
    .select('a.iban')
    .where('p.book', '=', book)
    .where('p.currency', '=', SEPA_CURRENCY)
    .where('p.status', '=', 'open')
    .where('b.fileId', 'is', null)
    .where((eb) => eb.not(isKeptBack(now)))
    .orderBy('b.payoutId')
    .forNoKeyUpdate(['p', 'b'])
    .execute();
}

/** Takes the number of the next file, to which its content is sealed. */
export async function nextFileId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('bank_files', 'id'))::integer as id`.execute(tx);
  return rows[0]!.id;
}

export async function insertFile(
  tx: Tx,
  file: {
    id: number;
    book: PaymentBook;
    messageId: string;
    amountCents: number;
    content: Buffer;
    madeAt: Date;
  },
  payoutIds: readonly number[],
): Promise<void> {
  await tx.insertInto('bankFiles').values(file).execute();
  await tx
    .updateTable('bankPayouts')
    .set({ fileId: file.id })
    .where('payoutId', '=', (eb) => eb.fn.any(eb.val(payoutIds)))
    .execute();
}

export async function findFile(
  tx: Tx,
  id: number,
): Promise<{ id: number; messageId: string; content: Buffer; madeAt: Date } | null> {
  const row = await tx
    .selectFrom('bankFiles')
    .select(['id', 'messageId', 'content', 'madeAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export type ListedFile = {
  id: number;
  messageId: string;
  amountCents: number;
  madeAt: Date;
  payouts: number;
  /** The payouts in it that are neither paid nor noted as not paid. */
  open: number;
};

/** The last files of a book, the newest first. */
export async function listFiles(tx: Tx, book: PaymentBook, limit: number): Promise<ListedFile[]> {
  const { rows } = await sql<Omit<ListedFile, 'amountCents'> & { amount: string }>`
    select f.id, f.message_id as "messageId", f.amount_cents as amount, f.made_at as "madeAt",
        count(*)::integer as payouts, count(*) filter (where p.status = 'open')::integer as open
      from bank_files f join bank_payouts b on b.file_id = f.id join payouts p on p.id = b.payout_id
      where f.book = ${book}
      group by f.id order by f.id desc limit ${limit}`.execute(tx);
  return rows.map(({ amount, ...row }) => ({ ...row, amountCents: Number(amount) }));
}

/* Lines of statements */

/** The payout that this line has booked, or null. */
export async function findLine(
  tx: Tx,
  where: { ref: string } | { payoutId: number; kind: 'paid' | 'returned' },
): Promise<{ ref: string } | null> {
  const row = await tx
    .selectFrom('bankLines')
    .select('ref')
    .where((eb) => eb.and(where))
    .executeTakeFirst();
  return row ?? null;
}

export async function insertLine(
  tx: Tx,
  line: { ref: string; payoutId: number; kind: 'paid' | 'returned'; bookedAt: Date; readAt: Date },
): Promise<void> {
  await tx.insertInto('bankLines').values(line).execute();
}

/** The transfers of a payout, locked by id. */
export async function lockTransfersOf(tx: Tx, payoutId: number) {
  return await tx
    .selectFrom('payoutTransfers')
    .select(['id', 'key', 'adId', 'amountCents', 'state', 'bankStatus'])
    .where('payoutId', '=', payoutId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

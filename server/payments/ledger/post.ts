import { isDeepStrictEqual } from 'node:util';
import type { Currency } from '#domain/money.ts';
import type { Account, Entry } from '#domain/payments/ledger.ts';
import type { PaymentBook } from '../../config.ts';
import type { Tx } from '../../db/database.ts';

/** A JSON object that explains an entry, such as { from, to, of }. */
export type Meta = Record<string, string | number | boolean | null>;

export type LedgerTransaction = {
  kind:
    | 'paid'
    | 'orphan_paid'
    /** Money of an intent that is not as agreed. */
    | 'suspense'
    /** The provider's fee, when its balance transaction is known. */
    | 'fee'
    /** Earnings of an ad by delivery. */
    | 'accrual'
    /** Earnings of an ad that are taken back, because traffic was withdrawn. */
    | 'correction'
    /** The undelivered part becomes owed to the advertiser. */
    | 'undelivered'
    | 'refund'
    | 'refund_failed'
    | 'dispute_withdrawn'
    | 'dispute_reinstated'
    | 'other';
  /** The provider's id, or our own name of the event. Each (kind, externalRef) is posted only once. */
  externalRef: string;
  book: PaymentBook;
  currency: Currency;
  /** The provider's time, or the end of the delivery that is earned. */
  occurredAt: Date;
  recordedAt: Date;
  adId: number | null;
  meta?: Meta;
  entries: Entry[];
};

/**
 * Posts to the ledger in the caller's transaction. Posting the same (kind, externalRef) again does nothing and returns
 * false; with other content it throws. The database refuses the commit if the entries do not sum to zero.
 */
export async function post(tx: Tx, transaction: LedgerTransaction): Promise<boolean> {
  const { kind, externalRef, occurredAt, recordedAt, adId, meta = {} } = transaction;
  const posted = await tx
    .insertInto('ledgerTx')
    .values({ kind, externalRef, occurredAt, recordedAt, adId, meta: JSON.stringify(meta) })
    .onConflict((conflict) => conflict.columns(['kind', 'externalRef']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!posted) {
    await requireSameContent(tx, transaction);
    return false;
  }
  for (const { account, amountCents } of transaction.entries) {
    const accountId = await accountOf(tx, account, transaction);
    await tx.insertInto('ledgerPostings').values({ txId: posted.id, accountId, amountCents }).execute();
  }
  return true;
}

// The same event with other amounts is a mistake that must not pass for a repetition.
async function requireSameContent(
  tx: Tx,
  { kind, externalRef, ...wanted }: LedgerTransaction,
): Promise<void> {
  const rows = await tx
    .selectFrom('ledgerTx as t')
    .leftJoin('ledgerPostings as p', 'p.txId', 't.id')
    .leftJoin('ledgerAccounts as a', 'a.id', 'p.accountId')
    .select(['t.adId', 'a.kind', 'a.ownerId', 'a.currency', 'a.book', 'p.amountCents'])
    .where('t.kind', '=', kind)
    .where('t.externalRef', '=', externalRef)
    .execute();
  const { adId, currency, book } = wanted;
  const known = rows.map((row) =>
    [row.adId, row.kind, row.ownerId, row.currency, row.book, Number(row.amountCents)].join(' '),
  );
  const asked = wanted.entries.map(({ account, amountCents }) =>
    [adId, account.kind, account.ownerId, currency, book, amountCents].join(' '),
  );
  if (!isDeepStrictEqual(new Set(known), new Set(asked)))
    throw new Error(`The ledger has another ${kind} ${externalRef}`);
}

async function accountOf(
  tx: Tx,
  { kind, ownerId }: Account,
  { book, currency }: Pick<LedgerTransaction, 'book' | 'currency'>,
): Promise<number> {
  const find = () =>
    tx
      .selectFrom('ledgerAccounts')
      .select('id')
      .where('kind', '=', kind)
      .where('ownerId', 'is not distinct from', ownerId)
      .where('currency', '=', currency)
      .where('book', '=', book)
      .executeTakeFirst();
  const known = await find();
  if (known) return known.id;
  await tx
    .insertInto('ledgerAccounts')
    .values({ kind, ownerId, currency, book })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // If the insert did nothing, another transaction has created the account. A new statement sees its commit.
  const created = await find();
  if (!created) throw new Error(`The ledger account ${kind} ${ownerId} can neither be found nor created`);
  return created.id;
}

import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { Account, Entry } from '#domain/payments/ledger.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** A JSON object that explains an entry, such as { from, to, of }. */
export type Meta = Record<string, string | number | boolean | null>;

export type LedgerTransaction = {
  kind:
    | 'paid'
    | 'orphan_paid'
    /** Money that differs from the agreed payment, or that belongs to no sale. */
    | 'suspense'
    /** The operator has decided about money in suspense. */
    | 'suspense_settled'
    /** The provider's fee, when its balance transaction is known. */
    | 'fee'
    /** Earnings of an ad by delivery. */
    | 'accrual'
    /** Earnings of an ad that are taken back, because traffic was withdrawn. */
    | 'correction'
    /** The undelivered part becomes owed to the advertiser. */
    | 'undelivered'
    /** The provider's fee that is kept from the undelivered part after a cancel. */
    | 'cancel_fee'
    /** A refund beyond what was owed or undelivered, which the marketplace bears. */
    | 'goodwill'
    | 'refund'
    | 'refund_failed'
    | 'dispute_withdrawn'
    | 'dispute_reinstated'
    /** The money of a dispute will not come back. */
    | 'dispute_lost'
    /** An owed refund that the advertiser's bank has taken through a lost dispute. */
    | 'refund_settled'
    /** An owed refund that the operator has paid from the marketplace's bank account. */
    | 'refund_by_hand'
    /** The bank returned the money of a lost dispute. */
    | 'dispute_recovered'
    /** Earnings that left for a publisher's account. */
    | 'transfer'
    /** A part of a transfer that was taken back. */
    | 'reversal'
    /** The tax of a sale after another event of its ad. */
    | 'tax'
    /** The tax of a publisher's self-billing document. */
    | 'input_tax'
    /** Tax that was paid to the state, and input tax that the state paid back. */
    | 'tax_paid'
    | 'tax_refunded'
    /** A publisher's debt, settled from later earnings. */
    | 'netting'
    /** A publisher's debt that was paid to the marketplace's bank account, that nobody will pay, or that is owed again. */
    | 'debt_paid'
    | 'debt_written_off'
    | 'debt_restored'
    /** Earnings that a publisher gave up when they deleted their account. */
    | 'earnings_waived'
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
 * false; with other content it throws. The database refuses the commit if the entries do not sum to zero. Each posting locks
 * the balance of its account, so name `publisher_payable` before `publisher_receivable`
 * (docs/decisions/049-lock-order.md).
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
  const accounts = await accountsOf(tx, transaction);
  const postings = transaction.entries.map(({ account, amountCents }) => ({
    txId: posted.id,
    accountId: accounts.get(nameOf(account)) as number,
    amountCents,
  }));
  if (postings.length > 0) await tx.insertInto('ledgerPostings').values(postings).execute();
  return true;
}

/** Whether there is an entry of this kind and reference, for acts that must not be repeated without a word. */
export async function isPosted(
  tx: Tx,
  kind: LedgerTransaction['kind'],
  externalRef: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('ledgerTx')
    .select('id')
    .where('kind', '=', kind)
    .where('externalRef', '=', externalRef)
    .executeTakeFirst();
  return row !== undefined;
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

const nameOf = ({ kind, ownerId }: { kind: string; ownerId: number | null }) => `${kind}:${ownerId ?? ''}`;

/** The ids of the accounts of an entry, by name. Creates those that do not exist. */
async function accountsOf(
  tx: Tx,
  { entries, book, currency }: LedgerTransaction,
): Promise<Map<string, number>> {
  const wanted = new Map(entries.map(({ account }) => [nameOf(account), account]));
  const known = await findAccounts(tx, [...wanted.values()], { book, currency });
  const missing = [...wanted]
    .filter(([name]) => !known.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, account]) => account);
  if (missing.length === 0) return known;
  const made = await tx
    .insertInto('ledgerAccounts')
    .values(missing.map(({ kind, ownerId }) => ({ kind, ownerId, currency, book })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'kind', 'ownerId'])
    .execute();
  for (const account of made) known.set(nameOf(account), account.id);
  if (made.length === missing.length) return known;
  // Where the insert did nothing, another transaction has created the account. A new statement sees its commit.
  const found = await findAccounts(tx, missing, { book, currency });
  const lost = missing.find((account) => !found.has(nameOf(account)));
  if (lost) throw new Error(`The ledger account ${nameOf(lost)} can neither be found nor created`);
  return new Map([...known, ...found]);
}

/** The ids of those accounts that exist, by name. Two queries in one, because an index does not find a null by a join. */
export async function findAccounts(
  tx: Tx,
  accounts: readonly Account[],
  { book, currency }: Pick<LedgerTransaction, 'book' | 'currency'>,
): Promise<Map<string, number>> {
  const platform = accounts.filter(({ ownerId }) => ownerId === null).map(({ kind }) => kind);
  const owned = accounts.filter(({ ownerId }) => ownerId !== null);
  const { rows } = await sql<{ id: number; kind: string; ownerId: number | null }>`
    select id, kind, owner_id as "ownerId" from ledger_accounts
      where kind = any(${platform}) and owner_id is null and currency = ${currency} and book = ${book}
    union all
    select a.id, a.kind, a.owner_id
      from unnest(${owned.map(({ kind }) => kind)}::text[], ${owned.map(({ ownerId }) => ownerId)}::integer[])
        as wanted (kind, owner_id)
      join ledger_accounts a using (kind, owner_id)
      where a.currency = ${currency} and a.book = ${book}`.execute(tx);
  return new Map(rows.map((row) => [nameOf(row), row.id]));
}

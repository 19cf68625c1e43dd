/** The SQL of the transparency log: leaves, the hashes above them, and the signed roots. */
import { type RawBuilder, sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { LoggedPosting } from './posting.ts';
import type { Subtree, TreeNode } from './merkle.ts';

/** One transaction at a time adds to a log. The others wait here. */
export async function lockLog(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7305114)`.execute(tx);
}

export async function sizeOf(tx: Tx, book: PaymentBook): Promise<number> {
  const last = await tx
    .selectFrom('ledgerLeaves')
    .select('index')
    .where('book', '=', book)
    .orderBy('index', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? last.index + 1 : 0;
}

/** The columns of a LoggedPosting, of the tables t (entries), p (postings) and a (accounts). */
export const POSTING = sql`t.id as entry, p.account_id as "accountId", t.kind, t.occurred_at as "occurredAt",
  t.recorded_at as "recordedAt", a.pseudonym as account, p.amount_cents as "amountCents", a.currency, p.salt`;

/**
 * The posting of a pair of entry and account. "offset 0" keeps the planner from reading all postings of each account, which
 * are as many as there are sales for an account of the platform.
 */
export const postingOf = (pair: RawBuilder<unknown>) => sql`(
  select * from ledger_postings where tx_id = ${pair}.tx_id and account_id = ${pair}.account_id offset 0)`;

/** Takes the oldest postings that are no leaf yet. */
export async function takeUnlogged(tx: Tx, book: PaymentBook, limit: number): Promise<LoggedPosting[]> {
  const { rows } = await sql<LoggedPosting>`
    with taken as (
      delete from ledger_unlogged u
        where (u.tx_id, u.account_id) in (
          select n.tx_id, n.account_id from ledger_unlogged n join ledger_accounts a on a.id = n.account_id
            where a.book = ${book} order by n.tx_id, n.account_id limit ${limit})
        returning tx_id, account_id)
    select ${POSTING}
      from taken
      cross join lateral ${postingOf(sql`taken`)} as p
      join ledger_tx t on t.id = p.tx_id
      join ledger_accounts a on a.id = p.account_id
      order by t.id, p.account_id`.execute(tx);
  return rows;
}

/** A posting, or an act (acts.ts). Both are null for a document (documents.ts), and if the posting was deleted. */
export type Leaf = { actId: number | null; posting: LoggedPosting | null; hash: Buffer | null };

/** Returns the leaves from `from` on. */
export async function readLeaves(
  tx: Tx,
  book: PaymentBook,
  { from, limit }: { from: number; limit: number },
): Promise<Leaf[]> {
  const { rows } = await sql<
    Omit<LoggedPosting, 'entry'> & { entry: number | null; actId: number | null; hash: Buffer | null }
  >`
    select ${POSTING}, l.act_id as "actId", n.hash
      from (
        select * from ledger_leaves where book = ${book} and index >= ${from} order by index limit ${limit}) as l
      left join lateral ${postingOf(sql`l`)} as p on true
      left join ledger_tx t on t.id = p.tx_id
      left join ledger_accounts a on a.id = p.account_id
      -- The book and the bounds keep the planner from reading the hashes of all leaves.
      left join ledger_nodes n on n.book = ${book} and n.level = 0 and n.index = l.index
        and n.index >= ${from} and n.index < ${from + limit}
      order by l.index`.execute(tx);
  return rows.map(({ hash, actId, entry, ...row }) => ({
    actId,
    posting: entry === null ? null : { ...row, entry },
    hash,
  }));
}

export async function insertLeaves(
  tx: Tx,
  book: PaymentBook,
  size: number,
  postings: readonly LoggedPosting[],
): Promise<void> {
  await sql`
    insert into ledger_leaves (book, index, tx_id, account_id)
      select ${book}, ${size}::bigint + at - 1, tx_id, account_id
        from unnest(${postings.map(({ entry }) => entry)}::integer[],
          ${postings.map(({ accountId }) => accountId)}::integer[]) with ordinality as leaf (tx_id, account_id, at)`.execute(
    tx,
  );
}

export async function insertNodes(tx: Tx, book: PaymentBook, nodes: readonly TreeNode[]): Promise<void> {
  await sql`
    insert into ledger_nodes (book, level, index, hash)
      select ${book}, * from unnest(${nodes.map(({ level }) => level)}::smallint[],
        ${nodes.map(({ index }) => index)}::bigint[], ${nodes.map(({ hash }) => hash)}::bytea[])`.execute(tx);
}

/** Returns the hashes of complete subtrees, by `nodeKey`. */
export async function readNodes(
  tx: Tx,
  book: PaymentBook,
  subtrees: readonly Subtree[],
): Promise<Map<string, Buffer>> {
  if (subtrees.length === 0) return new Map();
  const { rows } = await sql<{ level: number; index: number; hash: Buffer }>`
    select n.level, n.index, n.hash
      from (select distinct * from unnest(${subtrees.map(({ level }) => level)}::smallint[],
        ${subtrees.map(({ index }) => index)}::bigint[])) as wanted (level, index)
      join ledger_nodes n on n.book = ${book} and n.level = wanted.level and n.index = wanted.index`.execute(
    tx,
  );
  return new Map(rows.map(({ level, index, hash }) => [nodeKey({ level, index }), hash]));
}

export const nodeKey = ({ level, index }: Subtree): string => `${level}:${index}`;

export type SignedRoot = {
  book: PaymentBook;
  /** YYYY-MM-DD */
  day: string;
  size: number;
  root: Buffer;
  publicUrl: string;
  signedAt: Date;
  publicKey: Buffer;
  signature: Buffer;
  owedCents: number;
  heldCents: number;
  currency: Currency;
};

/** Adds the root of a day. Returns false if the day has one. */
export async function insertRoot(tx: Tx, root: SignedRoot): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('ledgerRoots')
    .values(root)
    .onConflict((conflict) => conflict.columns(['book', 'day']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function loggedBooks(tx: Tx): Promise<PaymentBook[]> {
  const rows = await tx.selectFrom('ledgerLeaves').select('book').where('index', '=', 0).execute();
  return rows.map(({ book }) => book);
}

/** Returns all roots of a book, the smallest first. */
export async function listRoots(tx: Tx, book: PaymentBook): Promise<SignedRoot[]> {
  return await readRoots(tx, sql`book = ${book} order by size, day`);
}

/** Returns the root of a day, or the newest one. */
export async function findRoot(tx: Tx, book: PaymentBook, day?: string): Promise<SignedRoot | null> {
  const ofDay = day === undefined ? sql`true` : sql`day = ${day}::date`;
  const [root] = await readRoots(tx, sql`book = ${book} and ${ofDay} order by ledger_roots.day desc limit 1`);
  return root ?? null;
}

async function readRoots(tx: Tx, which: RawBuilder<unknown>): Promise<SignedRoot[]> {
  const { rows } = await sql<SignedRoot>`
    select book, to_char(ledger_roots.day, 'YYYY-MM-DD') as day, size, root, public_url as "publicUrl",
        signed_at as "signedAt", public_key as "publicKey", signature, owed_cents as "owedCents",
        held_cents as "heldCents", currency
      from ledger_roots where ${which}`.execute(tx);
  return rows;
}

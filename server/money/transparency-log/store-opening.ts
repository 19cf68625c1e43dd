/** The SQL of openings: the balances of the books on a signed day, and what came since. */
import { type RawBuilder, sql } from 'kysely';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { postingOf, sizeOf } from './store.ts';

/** The number of leaves of the log of each book. */
export type Sizes = readonly (readonly [book: PaymentBook, size: number])[];

/** What all accounts of one kind hold in cents; debits are positive. */
export type Balance = readonly [book: PaymentBook, currency: string, kind: string, cents: number];

/** Where the postings end that an opening contains: below the sizes, and up to the entry `lastTx`. */
export type Mark = { sizes: Sizes; lastTx: number };

export type Opening = Mark & {
  book: PaymentBook;
  /** YYYY-MM-DD */
  day: string;
  balances: Balance[];
  monthsHash: Buffer;
  signature: Buffer;
};

const BOOKS = ['stripe-live', 'stripe-test', 'sandbox'] as const satisfies readonly PaymentBook[];

/** The accounts whose changes are stored by month. The trigger keep_ledger_balance has the same list. */
export const STORED_KINDS = [
  'deferred_publisher',
  'deferred_commission',
  'publisher_payable',
  'publisher_receivable',
  'refund_payable',
  'tax_deferred',
];

export const sizeIn = ({ sizes }: Pick<Mark, 'sizes'>, book: PaymentBook): number =>
  sizes.find(([each]) => each === book)?.[1] ?? 0;

/** Where the postings end now, for a transaction that holds the lock of the log. */
export async function markNow(tx: Tx): Promise<Mark> {
  const sizes: [PaymentBook, number][] = [];
  for (const book of BOOKS) sizes.push([book, await sizeOf(tx, book)]);
  const { rows } = await sql<{
    lastTx: number;
  }>`select coalesce(max(id), 0) as "lastTx" from ledger_tx`.execute(tx);
  return { sizes, lastTx: rows[0]?.lastTx ?? 0 };
}

const leavesFrom = ({ sizes }: Pick<Mark, 'sizes'>, until?: Pick<Mark, 'sizes'>) => sql`
  select l.tx_id, l.account_id
    from unnest(${sizes.map(([book]) => book)}::text[], ${sizes.map(([, size]) => size)}::bigint[],
      ${sizes.map(([book]) => (until ? sizeIn(until, book) : null))}::bigint[]) as log (book, size, until)
    -- "offset 0" keeps the planner from reading the leaves below the size.
    cross join lateral (
      select tx_id, account_id from ledger_leaves
        where book = log.book and index >= log.size and (log.until is null or index < log.until) and tx_id is not null
        offset 0) as l`;

/** The postings, as pairs of entry and account, that came after an opening. */
const after = (mark: Mark) => sql`
  ${leavesFrom(mark)}
  union select tx_id, account_id from ledger_unlogged
  union select tx_id, account_id from ledger_postings where tx_id > ${mark.lastTx}`;

/** The postings that are no leaf yet. */
const UNLOGGED = sql`select tx_id, account_id from ledger_unlogged`;

/** How many postings came after an opening, and which entries. An entry without a posting is one of them. */
export async function readAfter(tx: Tx, mark: Mark): Promise<{ postings: number; entries: number[] }> {
  const { rows } = await sql<{ postings: string; entries: number[] }>`
    with later as materialized (${after(mark)})
    select (select count(*) from later) as postings,
        array(select tx_id from later union select id from ledger_tx where id > ${mark.lastTx} order by 1) as entries`.execute(
    tx,
  );
  const [found] = rows as [{ postings: string; entries: number[] }];
  return { ...found, postings: Number(found.postings) };
}

/** The hash over the stored months of all accounts without the postings after an opening. */
export async function hashMonths(tx: Tx, mark: Mark): Promise<Buffer> {
  return await hashMonthsWithout(tx, after(mark));
}

/** The hash for a new opening: over the postings that are leaves. */
export async function hashLoggedMonths(tx: Tx): Promise<Buffer> {
  return await hashMonthsWithout(tx, UNLOGGED);
}

// Accounts are hashed in blocks, so that no text grows with the number of accounts.
async function hashMonthsWithout(tx: Tx, left: RawBuilder<unknown>): Promise<Buffer> {
  const { rows } = await sql<{ hash: Buffer }>`
    with later as (
      select p.account_id, date_trunc('month', t.recorded_at at time zone 'utc')::date as month, sum(p.amount_cents) as cents
        from (${left}) as l
        cross join lateral ${postingOf(sql`l`)} as p
        join ledger_tx t on t.id = p.tx_id
        join ledger_accounts a on a.id = p.account_id and a.kind = any(${STORED_KINDS})
        group by 1, 2
    ), opening as (
      select account_id, month, coalesce(m.amount_cents, 0) - coalesce(l.cents, 0) as cents
        from ledger_months m full join later l using (account_id, month)
    ), blocks as (
      select account_id / 10000 as block,
          sha256(convert_to(string_agg(concat_ws(' ', account_id, to_char(month, 'YYYY-MM'), cents), ','
            order by account_id, month), 'UTF8')) as hash
        from opening where cents <> 0
        group by 1)
    select sha256(coalesce(string_agg(hash, ''::bytea order by block), '')) as hash from blocks`.execute(tx);
  return (rows[0] as { hash: Buffer }).hash;
}

/** What each kind of account holds by the postings that are leaves. `before` is an opening with its balances. */
export async function sumLogged(
  tx: Tx,
  now: Mark,
  before: Pick<Opening, 'sizes' | 'balances'> | null,
): Promise<Balance[]> {
  if (before) return added(before.balances, await sumBalances(tx, leavesFrom(before, now)));
  return added(await sumBalances(tx), negated(await sumBalances(tx, UNLOGGED)));
}

/** What each kind of account held by all postings but those after an opening. Reads all postings. */
export async function sumUpTo(tx: Tx, mark: Mark): Promise<Balance[]> {
  return added(await sumBalances(tx), negated(await sumBalances(tx, after(mark))));
}

async function sumBalances(tx: Tx, of?: RawBuilder<unknown>): Promise<Balance[]> {
  type Row = { book: PaymentBook; currency: string; kind: string; cents: string };
  const { rows } = await sql<Row>`
    select a.book, a.currency, a.kind, sum(p.amount_cents) as cents
      from ${of ? sql`(${of}) as o cross join lateral ${postingOf(sql`o`)} as p` : sql`ledger_postings p`}
      join ledger_accounts a on a.id = p.account_id
      group by 1, 2, 3`.execute(tx);
  return rows.map(({ book, currency, kind, cents }) => [book, currency, kind, Number(cents)]);
}

const negated = (balances: readonly Balance[]): Balance[] =>
  balances.map(([book, currency, kind, cents]) => [book, currency, kind, -cents]);

/** Adds balances of the same kind, in an order that is part of the signed text. Leaves out kinds that hold nothing. */
function added(...all: (readonly Balance[])[]): Balance[] {
  const sums = new Map<string, Balance>();
  for (const [book, currency, kind, cents] of all.flat()) {
    const key = `${book} ${currency} ${kind}`;
    sums.set(key, [book, currency, kind, cents + (sums.get(key)?.[3] ?? 0)]);
  }
  return [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, balance]) => (balance[3] === 0 ? [] : [balance]));
}

export async function insertOpening(tx: Tx, { sizes, balances, ...opening }: Opening): Promise<void> {
  await tx
    .insertInto('ledgerOpenings')
    .values({ ...opening, sizes: JSON.stringify(sizes), balances: JSON.stringify(balances) })
    .execute();
}

/** The newest opening of a book. */
export async function findOpening(tx: Tx, book: PaymentBook): Promise<Opening | null> {
  const { rows } = await sql<Opening>`
    select book, to_char(o.day, 'YYYY-MM-DD') as day, sizes, last_tx as "lastTx", balances, months_hash as "monthsHash",
        signature
      from ledger_openings o where book = ${book} order by o.day desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

export async function countPostings(tx: Tx): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from ledger_postings`.execute(tx);
  return Number(rows[0]?.n);
}

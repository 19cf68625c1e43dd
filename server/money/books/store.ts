/** The SQL of reconcile.ts. */
import { sql } from 'kysely';
import type { BalanceTransaction } from '#server/platform/provider/payment-provider.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** A disagreement between the ledger and the provider. */
export type Difference = {
  kind: string;
  /** The provider's id, or ours where the provider has none. */
  ref: string;
  amountCents: number;
  currency: string;
  /** When it was first found. */
  since: Date;
};

export async function lastReconciliation(tx: Tx, book: PaymentBook): Promise<Date | null> {
  const row = await tx
    .selectFrom('reconciliations')
    .select('finishedAt')
    .where('book', '=', book)
    .executeTakeFirst();
  return row?.finishedAt ?? null;
}

export async function keepReconciliation(tx: Tx, book: PaymentBook, finishedAt: Date): Promise<void> {
  await tx
    .insertInto('reconciliations')
    .values({ book, finishedAt })
    .onConflict((conflict) => conflict.column('book').doUpdateSet({ finishedAt }))
    .execute();
}

/** When the book's first payment began; null if it has none. */
export async function firstPaymentAt(tx: Tx, book: PaymentBook): Promise<Date | null> {
  const row = await tx
    .selectFrom('payments')
    .select('createdAt')
    .where('book', '=', book)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.createdAt ?? null;
}

/** A movement at the provider never changes, so one that is known already is left as it is. */
export async function keepTransactions(
  tx: Tx,
  book: PaymentBook,
  transactions: readonly BalanceTransaction[],
  seenAt: Date,
): Promise<void> {
  if (transactions.length === 0) return;
  await tx
    .insertInto('providerTransactions')
    .values(
      transactions.map(({ id, type, sourceId, amount, fee, net, currency, createdAt }) => ({
        id,
        book,
        type,
        sourceId,
        amountCents: amount,
        feeCents: fee,
        netCents: net,
        currency,
        createdAt,
        seenAt,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Links each movement to the entry on the provider's balance that has its id. */
export async function matchTransactions(tx: Tx, book: PaymentBook): Promise<void> {
  await sql`
    update provider_transactions p
      set ledger_tx_id = entry.id
      from (
        select m.id as movement, t.id
          from provider_transactions m
          -- The index of external_ref leaves accruals out.
          join ledger_tx t on t.external_ref = m.id and t.kind <> 'accrual'
          -- "offset 0" keeps the planner from reading all postings of the provider's balance first.
          cross join lateral (
            select from ledger_postings l join ledger_accounts a on a.id = l.account_id
              where l.tx_id = t.id and a.kind = 'provider_balance' and a.book = m.book offset 0) as posting
          where m.book = ${book} and m.ledger_tx_id is null) as entry
      where p.id = entry.movement`.execute(tx);
}

export type UnmatchedTransaction = {
  id: string;
  type: string;
  sourceId: string | null;
  netCents: number;
  currency: string;
  createdAt: Date;
};

export async function unmatchedTransactions(tx: Tx, book: PaymentBook): Promise<UnmatchedTransaction[]> {
  const rows = await tx
    .selectFrom('providerTransactions')
    .select(['id', 'type', 'sourceId', 'netCents', 'currency', 'createdAt'])
    .where('book', '=', book)
    .where('ledgerTxId', 'is', null)
    .where('netCents', '<>', 0)
    .orderBy('createdAt')
    .execute();
  return rows;
}

type Amount = { ref: string; amountCents: number; currency: string };
const amounts = (rows: { ref: string; amount: string; currency: string }[]): Amount[] =>
  rows.map(({ ref, amount, currency }) => ({ ref, amountCents: Number(amount), currency }));

/** Entries on the provider's balance, recorded from `since` to before `until`, that no movement at the provider has. */
export async function entriesWithoutTransaction(
  tx: Tx,
  book: PaymentBook,
  since: Date,
  until: Date,
): Promise<Amount[]> {
  const { rows } = await sql<{ ref: string; amount: string; currency: string }>`
    select t.external_ref as ref, posting.amount_cents as amount, posting.currency
      from (
        -- Accruals move no money at the provider, and most entries are accruals.
        select id from ledger_tx where recorded_at >= ${since} and kind <> 'accrual'
        union
        -- An older one that was found before is looked at until it has gone.
        select e.id
          from differences d join ledger_tx e on e.external_ref = d.ref and e.kind <> 'accrual'
          where d.book = ${book} and d.kind = 'not_at_provider') as entry
      join ledger_tx t on t.id = entry.id
      cross join lateral (
        select l.amount_cents, a.currency from ledger_postings l join ledger_accounts a on a.id = l.account_id
          where l.tx_id = t.id and a.kind = 'provider_balance' and a.book = ${book} offset 0) as posting
      where t.recorded_at < ${until}
        and not exists (select 1 from provider_transactions p where p.ledger_tx_id = t.id)`.execute(tx);
  return amounts(rows);
}

/** Matched movements, created at `since` or later, whose entry has another amount. */
export async function entriesWithOtherAmount(tx: Tx, book: PaymentBook, since: Date): Promise<Amount[]> {
  const { rows } = await sql<{ ref: string; amount: string; currency: string }>`
    select p.id as ref, p.net_cents - l.amount_cents as amount, p.currency
      from provider_transactions p
      join ledger_postings l on l.tx_id = p.ledger_tx_id
      join ledger_accounts a on a.id = l.account_id
      where p.book = ${book} and p.created_at >= ${since} and a.kind = 'provider_balance' and a.currency = p.currency
        and p.net_cents <> l.amount_cents`.execute(tx);
  return amounts(rows);
}

/**
 * For each currency, the provider's balance less the ledger's. What is not matched yet is left out on both sides. A movement
 * with the currency and amount of its entry adds the same to both, and neither ever changes, so it is marked and not read
 * again.
 */
export async function balanceDifferences(tx: Tx, book: PaymentBook): Promise<Amount[]> {
  await sql`
    update provider_transactions p set agrees = true
      where p.book = ${book} and p.ledger_tx_id is not null and not p.agrees
        and exists (
          select from ledger_postings l join ledger_accounts a on a.id = l.account_id
            where l.tx_id = p.ledger_tx_id and a.kind = 'provider_balance' and a.book = p.book
              and a.currency = p.currency and l.amount_cents = p.net_cents offset 0)`.execute(tx);
  const { rows } = await sql<{ ref: string; amount: string; currency: string }>`
    with differing as (
      select ledger_tx_id, currency, net_cents from provider_transactions
        where book = ${book} and ledger_tx_id is not null and not agrees
    ), theirs as (
      select currency, sum(net_cents) as net from differing group by 1
    ), ours as (
      select a.currency, sum(l.amount_cents) as net
        from differing p
        -- "offset 0" keeps the planner from reading all postings of the provider's balance first.
        cross join lateral (
          select account_id, amount_cents from ledger_postings where tx_id = p.ledger_tx_id offset 0) as l
        join ledger_accounts a on a.id = l.account_id
        where a.kind = 'provider_balance' and a.book = ${book} group by 1
    )
    select 'provider_balance' as ref, coalesce(theirs.net, 0) - coalesce(ours.net, 0) as amount,
        coalesce(theirs.currency, ours.currency) as currency
      from theirs full join ours using (currency)
      where coalesce(theirs.net, 0) <> coalesce(ours.net, 0)`.execute(tx);
  return amounts(rows);
}

export type BookedPayment = {
  id: number;
  intentId: string | null;
  status: string;
  amountCents: number;
  currency: string;
};

/** The payments with these ids or these intents. */
export async function selectPayments(
  tx: Tx,
  book: PaymentBook,
  { ids, intentIds }: { ids: number[]; intentIds: string[] },
): Promise<BookedPayment[]> {
  const rows = await tx
    .selectFrom('payments')
    .select(['id', 'intentId', 'status', 'amountCents', 'currency'])
    .where('book', '=', book)
    .where((where) =>
      where.or([
        where('id', '=', sql<number>`any(${ids})`),
        where('intentId', '=', sql<string>`any(${intentIds})`),
      ]),
    )
    .execute();
  return rows;
}

/** The paid payments of the book since `since`. */
export async function paidPayments(
  tx: Tx,
  book: PaymentBook,
  since: Date,
): Promise<(BookedPayment & { intentId: string })[]> {
  const rows = await tx
    .selectFrom('payments')
    .select(['id', 'intentId', 'status', 'amountCents', 'currency'])
    .where('book', '=', book)
    .where('paidAt', '>=', since)
    .where('createdAt', '>=', since)
    .execute();
  return rows.flatMap(({ intentId, ...row }) => (intentId === null ? [] : [{ ...row, intentId }]));
}

/** Replaces the list of differences of a book. A difference that was known keeps the time of its first finding. */
export async function keepDifferences(
  tx: Tx,
  book: PaymentBook,
  found: readonly Omit<Difference, 'since'>[],
  at: Date,
): Promise<Difference[]> {
  const known = await tx.deleteFrom('differences').where('book', '=', book).returningAll().execute();
  const since = new Map(known.map((each) => [`${each.kind} ${each.ref}`, each.since]));
  const kept = found.map((each) => ({ ...each, since: since.get(`${each.kind} ${each.ref}`) ?? at }));
  if (kept.length > 0) {
    await tx
      .insertInto('differences')
      .values(kept.map((each) => ({ ...each, book })))
      .execute();
  }
  return kept.toSorted((a, b) => a.since.getTime() - b.since.getTime());
}

/** The differences that the last comparison found, the oldest first. */
export async function listDifferences(tx: Tx, book: PaymentBook): Promise<Difference[]> {
  const rows = await tx
    .selectFrom('differences')
    .select(['kind', 'ref', 'amountCents', 'currency', 'since'])
    .where('book', '=', book)
    .orderBy('since')
    .execute();
  return rows;
}

/** Lets only one process at a time compare a book with its provider. */
export async function lockBooks(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7305113)`.execute(tx);
}

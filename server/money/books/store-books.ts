/** The SQL of books.ts: sums of the ledger's accounts. Amounts are cents; positive is our debt or our asset. */
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { waitsForAnswer } from '#domain/payments/disputes.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type Book = { book: PaymentBook; currency: Currency };

/**
 * The sum of each kind of account of assets and debts, and of waived earnings: debits less credits. Most accounts have
 * a stored balance, so this reads only the postings of the few accounts of the platform and of disputes.
 */
export async function sumAccounts(tx: Tx, { book, currency }: Book): Promise<Map<string, number>> {
  const { rows } = await sql<{ kind: string; cents: string }>`
    select a.kind, sum(b.amount_cents) as cents
      from ledger_accounts a join ledger_balances b on b.account_id = a.id
      where a.book = ${book} and a.currency = ${currency}
      group by a.kind
    union all
    select a.kind, sum(p.amount_cents)
      from ledger_accounts a join ledger_postings p on p.account_id = a.id
      where a.kind in (
          'provider_clearing', 'provider_balance', 'bank', 'dispute_receivable', 'suspense', 'waived_earnings')
        and a.book = ${book} and a.currency = ${currency}
      group by a.kind`.execute(tx);
  return new Map(rows.map(({ kind, cents }) => [kind, Number(cents)]));
}

/**
 * The rate is in thousandths of a percent. `outputCents` is the tax of sales that was not paid yet, `inputCents` that of
 * publishers' documents, and `amountCents` the difference, which is below zero where the state owes the marketplace.
 */
export type TaxOwed = {
  taxAccountId: number;
  country: string;
  rate: number;
  outputCents: number;
  inputCents: number;
  amountCents: number;
};

/** The tax that is owed to each state, by rate. Leaves out those that are even. */
export async function listTaxOwed(tx: Tx, { book, currency }: Book): Promise<TaxOwed[]> {
  const { rows } = await sql<
    Pick<TaxOwed, 'taxAccountId' | 'country' | 'rate'> & { output: string; input: string }
  >`
    select t.id as "taxAccountId", t.country, t.rate,
        coalesce(-sum(p.amount_cents) filter (where a.kind = 'tax_payable'), 0) as output,
        coalesce(sum(p.amount_cents) filter (where a.kind = 'input_tax'), 0) as input
      from ledger_accounts a
      join tax_accounts t on t.id = a.owner_id
      join ledger_postings p on p.account_id = a.id
      where a.kind in ('tax_payable', 'input_tax') and a.book = ${book} and a.currency = ${currency}
      group by t.id
      order by t.country, t.rate`.execute(tx);
  return rows
    .map(({ output, input, ...row }) => {
      const [outputCents, inputCents] = [Number(output), Number(input)];
      return { ...row, outputCents, inputCents, amountCents: outputCents - inputCents };
    })
    .filter(({ amountCents }) => amountCents !== 0);
}

/**
 * The tax that is owed to all states, in cents. Within a country, input tax reduces the tax of any rate. A state that owes
 * the marketplace pays much later, so its debt covers nothing. [BOOK-207]
 */
export function totalTaxOwed(taxes: readonly TaxOwed[]): number {
  const countries = new Set(taxes.map(({ country }) => country));
  return [...countries].reduce((sum, country) => sum + Math.max(0, taxOwedTo(country, taxes)), 0);
}

/** The tax that is owed to one state at all rates, in cents; below zero if the state owes the marketplace. */
export const taxOwedTo = (country: string, taxes: readonly TaxOwed[]): number =>
  taxes.reduce((sum, tax) => sum + (tax.country === country ? tax.amountCents : 0), 0);

/** The cents that may be paid to a state at the rate of a tax account: its output tax, less the input tax of the country. */
export function payableAt(taxAccountId: number, country: string, taxes: readonly TaxOwed[]): number {
  const atRate = taxes.find((tax) => tax.taxAccountId === taxAccountId);
  return Math.max(0, Math.min(atRate?.outputCents ?? 0, taxOwedTo(country, taxes)));
}

/** The cents that a state owes the marketplace. */
export const refundableBy = (country: string, taxes: readonly TaxOwed[]): number =>
  Math.max(0, -taxOwedTo(country, taxes));

/** Cents that were not covered, if this was measured after `since`. */
export async function findMeasured(
  tx: Tx,
  { book, currency }: Book,
  since: Date,
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('uncoveredMoney')
    .select('amountCents')
    .where('book', '=', book)
    .where('currency', '=', currency)
    .where('measuredAt', '>', since)
    .executeTakeFirst();
  return row?.amountCents;
}

export async function keepMeasured(tx: Tx, of: Book, amountCents: number, measuredAt: Date): Promise<void> {
  await tx
    .insertInto('uncoveredMoney')
    .values({ ...of, amountCents, measuredAt })
    .onConflict((conflict) => conflict.columns(['book', 'currency']).doUpdateSet({ amountCents, measuredAt }))
    .execute();
}

export async function findKeptDay(tx: Tx, { book, currency }: Book, day: string): Promise<number | null> {
  const row = await tx
    .selectFrom('keptDays')
    .select('keptCents')
    .where('book', '=', book)
    .where('currency', '=', currency)
    .where('day', '=', day)
    .executeTakeFirst();
  return row?.keptCents ?? null;
}

export async function keepDay(tx: Tx, of: Book, day: string, keptCents: number): Promise<void> {
  await tx
    .insertInto('keptDays')
    .values({ ...of, day, keptCents })
    .onConflict((conflict) => conflict.columns(['book', 'currency', 'day']).doUpdateSet({ keptCents }))
    .execute();
}

export type Creditor = { userId: number; email: string | null; amountCents: number };

/** The publishers with the largest balances. */
export async function listCreditors(tx: Tx, { book, currency }: Book, limit: number): Promise<Creditor[]> {
  const { rows } = await sql<{ userId: number; email: string | null; cents: string }>`
    select u.id as "userId", case when u.deleted_at is null then u.email end as email, -b.amount_cents as cents
      from ledger_accounts a
      join ledger_balances b on b.account_id = a.id
      join users u on u.id = a.owner_id
      where a.kind = 'publisher_payable' and a.book = ${book} and a.currency = ${currency} and b.amount_cents < 0
      order by b.amount_cents, u.id
      limit ${limit}`.execute(tx);
  return rows.map(({ cents, ...row }) => ({ ...row, amountCents: Number(cents) }));
}

/** A debt is doubtful while its account is deleted or suspended, and after this many days without a movement. */
const DOUBTFUL_AFTER_DAYS = 90;

/**
 * `name` and `email` are those of the account, or at its deletion. `movedAt` is the last time that the debt changed. A
 * `isDoubtful` one covers nothing.
 */
export type Debtor = {
  userId: number;
  name: string;
  email: string | null;
  amountCents: number;
  movedAt: Date;
  isDoubtful: boolean;
};

/** The publishers who owe the marketplace money, the largest debt first. [BOOK-220] */
export async function listDebtors(tx: Tx, { book, currency }: Book, now: Date): Promise<Debtor[]> {
  const { rows } = await sql<Debtor>`
    select u.id as "userId", b.amount_cents as "amountCents", m.moved_at as "movedAt",
        coalesce(c.party ->> 'name', nullif(s.business_name, ''), nullif(concat_ws(' ', u.first_name, u.last_name), ''),
          'Deleted account') as name,
        case when u.deleted_at is null then u.email else c.email end as email,
        u.deleted_at is not null or u.suspended_at is not null
          or m.moved_at < ${later(now, -DOUBTFUL_AFTER_DAYS * DAY_MS)} as "isDoubtful"
      from ledger_accounts a
      join ledger_balances b on b.account_id = a.id
      join users u on u.id = a.owner_id
      left join user_settings s on s.user_id = u.id
      left join closing_parties c on c.user_id = u.id
      cross join lateral (
        select t.recorded_at as moved_at from ledger_postings p join ledger_tx t on t.id = p.tx_id
          where p.account_id = a.id order by p.tx_id desc limit 1) as m
      where a.kind = 'publisher_receivable' and a.book = ${book} and a.currency = ${currency} and b.amount_cents > 0
      order by b.amount_cents desc, u.id`.execute(tx);
  return rows;
}

export type Aged = { what: 'publishers' | 'refunds'; ageDays: number; amountCents: number };

/**
 * The debt by the days since it was earned or became owed. The oldest earnings are paid first, so the balance of a
 * publisher is made of the latest earnings.
 */
export async function listAged(tx: Tx, { book, currency }: Book, now: Date): Promise<Aged[]> {
  const { rows } = await sql<{ what: Aged['what']; ageDays: number; cents: string }>`
    with earned as (
      select p.account_id, t.occurred_at, -p.amount_cents as cents, -b.amount_cents as balance,
          -sum(p.amount_cents) over (partition by p.account_id order by t.id desc) as later
        from ledger_accounts a
        join ledger_balances b on b.account_id = a.id and b.amount_cents < 0
        join ledger_postings p on p.account_id = a.id and p.amount_cents < 0
        join ledger_tx t on t.id = p.tx_id
        where a.kind = 'publisher_payable' and a.book = ${book} and a.currency = ${currency}
    ), owed as (
      -- "later" includes the line itself.
      select 'publishers' as what, occurred_at as since, least(cents, balance - (later - cents)) as cents
        from earned where balance > later - cents
      union all
      select 'refunds', f.created_at, f.amount_cents
        from refunds f join payments p on p.id = f.payment_id
        where f.status <> 'done' and p.book = ${book} and coalesce(p.received_currency, p.currency) = ${currency}
    )
    select what, floor(extract(epoch from ${now}::timestamptz - since) / 86400)::integer as "ageDays", sum(cents) as cents
      from owed group by 1, 2 order by 1, 2`.execute(tx);
  return rows.map(({ cents, ...row }) => ({ ...row, amountCents: Number(cents) }));
}

export type OpenDispute = {
  id: string;
  adId: number;
  ad: string;
  status: string;
  reason: string;
  amountCents: number;
  currency: Currency;
  dueAt: Date | null;
  openedAt: Date;
  evidence: 'none' | 'staged' | 'sending' | 'sent';
  evidenceError: string | null;
};

/** The open disputes that the bank or the card network wants answered before `until`, or wanted, the most urgent first. */
export async function listUnanswered(tx: Tx, until: Date): Promise<OpenDispute[]> {
  const rows = await openDisputes(tx).where('d.dueAt', '<', until).execute();
  return rows.filter(({ status, evidence }) => waitsForAnswer(status, evidence === 'sent'));
}

/** The disputes that are not decided, the most urgent first. */
export async function listOpenDisputes(tx: Tx, limit: number): Promise<OpenDispute[]> {
  return await openDisputes(tx).limit(limit).execute();
}

const openDisputes = (tx: Tx) =>
  tx
    .selectFrom('disputes as d')
    .innerJoin('payments as p', 'p.id', 'd.paymentId')
    .innerJoin('ads as a', 'a.id', 'p.adId')
    .select([
      'd.disputeId as id',
      'a.id as adId',
      'a.publicId as ad',
      'd.status',
      'd.reason',
      'd.amountCents',
      'd.currency',
      'd.dueAt',
      'd.openedAt',
      'd.evidenceState as evidence',
      'd.evidenceError',
    ])
    .where('d.closedAt', 'is', null)
    .orderBy('d.dueAt')
    .orderBy('d.id');

export async function countOpenDisputes(tx: Tx): Promise<number> {
  const { n } = await tx
    .selectFrom('disputes')
    .select((row) => row.fn.countAll<string>().as('n'))
    .where('closedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(n);
}

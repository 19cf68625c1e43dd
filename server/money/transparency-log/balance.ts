/** The accounts of one side of a person, with their balance and their postings. */
import { type RawBuilder, sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type StatementAccount = { userId: number; side: LedgerSide; book: PaymentBook; currency: Currency };

/**
 * The accounts of a reader. A publisher's accounts hold the earnings that are not paid out. Those of an advertiser's
 * ads hold the paid money that is neither delivered nor refunded.
 */
function accountsOf({ userId, side, book, currency }: StatementAccount): RawBuilder<unknown> {
  const owner =
    side === 'publisher'
      ? sql`kind in ('publisher_payable', 'publisher_receivable') and owner_id = ${userId}`
      : sql`kind in ('deferred_publisher', 'deferred_commission', 'refund_payable')
          and owner_id in (select id from ads where user_id = ${userId})`;
  return sql`select * from ledger_accounts where book = ${book} and currency = ${currency} and ${owner}`;
}

/** The balance before the month that begins at `from`, in the reader's favor and in cents. Reads a row for each month. */
export async function sumBefore(tx: Tx, account: StatementAccount, from: Date): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(-sum(m.amount_cents), 0) as cents
      from (${accountsOf(account)}) as a
      join ledger_months m on m.account_id = a.id
      where m.month < (${from}::timestamptz at time zone 'utc')`.execute(tx);
  return Number(rows[0]?.cents);
}

/**
 * The reader's postings of whole months, the first of which begins at `from` and the last of which ends at `to`, as the tables
 * a (accounts), p (postings) and t (entries).
 */
export function postingsOfMonths(account: StatementAccount, { from, to }: { from: Date; to: Date }) {
  return sql`(${accountsOf(account)}) as a
    join ledger_months m on m.account_id = a.id
      and m.month >= (${from}::timestamptz at time zone 'utc') and m.month < (${to}::timestamptz at time zone 'utc')
    -- "offset 0" keeps the planner from reading the postings of all months of an account.
    cross join lateral (
      select * from ledger_postings
        where account_id = m.account_id and tx_id between m.first_tx and m.last_tx offset 0) as p
    join ledger_tx t on t.id = p.tx_id
      and t.recorded_at >= m.month::timestamp at time zone 'utc'
      and t.recorded_at < (m.month + interval '1 month') at time zone 'utc'`;
}

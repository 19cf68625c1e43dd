/** The accounts of one side of a person, and their balance. */
import { type RawBuilder, sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { LedgerSide } from '#domain/payments/ledger-contract.ts';
import type { PaymentBook } from '../../config.ts';
import type { Tx } from '../../db/database.ts';

export type StatementAccount = { userId: number; side: LedgerSide; book: PaymentBook; currency: Currency };

/**
 * The accounts of a reader. A publisher's hold what is earned and not paid out; those of an advertiser's ads, what is paid
 * and neither delivered nor refunded.
 */
export function accountsOf({ userId, side, book, currency }: StatementAccount): RawBuilder<unknown> {
  const owner =
    side === 'publisher'
      ? sql`kind in ('publisher_payable', 'publisher_receivable') and owner_id = ${userId}`
      : sql`kind in ('deferred_publisher', 'deferred_commission', 'refund_payable')
          and owner_id in (select id from ads where user_id = ${userId})`;
  return sql`select * from ledger_accounts where book = ${book} and currency = ${currency} and ${owner}`;
}

/** The balance before a moment in the reader's favor, in cents. */
export async function sumBefore(tx: Tx, account: StatementAccount, moment: Date): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(-sum(p.amount_cents), 0) as cents
      from (${accountsOf(account)}) as a
      join ledger_postings p on p.account_id = a.id
      join ledger_tx t on t.id = p.tx_id
      where t.recorded_at < ${moment}`.execute(tx);
  return Number(rows[0]?.cents);
}

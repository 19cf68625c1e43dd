/** The SQL of statements: the postings of one person's accounts, by the time of their recording. */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import { refundOfCancel } from '../ledger/kept.ts';
import { postingsOfMonths, type StatementAccount } from './balance.ts';
import type { LoggedPosting } from './posting.ts';
import { POSTING } from './store.ts';

export type StatementRow = LoggedPosting & {
  adPublicId: string | null;
  /** The number of the receipt, credit note or self-billing document that was made before the end of the month. */
  document: string | null;
  /** The earnings in cents and the rate of the tax on top of them. Null for other lines. */
  tax: { of: number; rate: number } | null;
  /** The sum of the month up to this line, in the reader's favor. */
  runningCents: number;
  leafIndex: number | null;
};

/** The lines of the months from `from` to before `to`, after the entry and account of a cursor, the oldest first. */
export async function listStatementLines(
  tx: Tx,
  account: StatementAccount,
  { from, to, after, limit }: { from: Date; to: Date; after: readonly number[] | null; limit: number },
): Promise<StatementRow[]> {
  type Row = Omit<StatementRow, 'runningCents'> & {
    runningCents: string;
  };
  // Entries are numbered when they are made, so their order is that of the recording within the reader's month.
  const { rows } = await sql<Row>`
    with line as (
      select p.tx_id, p.account_id, -sum(p.amount_cents) over (order by p.tx_id, p.account_id) as running
        from ${postingsOfMonths(account, { from, to })}
    ), page as materialized (
      select * from line
        where ${after ? sql`(tx_id, account_id) > (${after[0]}, ${after[1]})` : sql`true`}
        order by tx_id, account_id
        limit ${limit})
    select ${POSTING}, d.public_id as "adPublicId", l.index as "leafIndex", ${documentOf(account, to)} as document,
        case t.kind when 'input_tax' then t.meta end as tax, page.running as "runningCents"
      from page
      join ledger_tx t on t.id = page.tx_id
      join ledger_postings p on p.tx_id = page.tx_id and p.account_id = page.account_id
      join ledger_accounts a on a.id = page.account_id
      left join ads d on d.id = t.ad_id
      left join ledger_leaves l on l.tx_id = page.tx_id and l.account_id = page.account_id
      order by t.id, p.account_id`.execute(tx);
  return rows.map((row) => ({
    ...row,
    runningCents: Number(row.runningCents),
  }));
}

/**
 * The number of the document that the line is about, of the tables t (entries). Publishers have no receipts, and of their
 * lines, tax has a document. A document that was made after the month does not change its lines.
 */
function documentOf({ userId, side, book }: StatementAccount, to: Date): RawBuilder<unknown> {
  if (side === 'publisher')
    return sql`case t.kind when 'input_tax' then (
      select o.number from documents o
        where o.user_id = ${userId} and o.book = ${book} and o.content ? 'publisherTax'
          and input_tax_ref(o) = t.external_ref) end`;
  return sql`case
      when t.kind in ('paid', 'orphan_paid') then (
        select o.number from payments y join documents o on o.payment_id = y.id and o.kind = 'receipt' and o.dispute_id is null
          where y.charge_id = t.external_ref and y.book = ${book} and o.issued_at < ${to})
      when t.kind in ('undelivered', 'goodwill', 'refund_settled') then (
        select o.number from refunds r join documents o on o.refund_id = r.id
          where r.ref = split_part(t.external_ref, ':', 1)::uuid and o.issued_at < ${to})
      when t.kind = 'cancel_fee' then (
        select o.number from cancels c join documents o on o.refund_id = ${refundOfCancel}
          where c.id = split_part(t.external_ref, ':', 2)::integer and o.issued_at < ${to})
      when t.kind = 'refund' then (
        select o.number from refund_tries r join documents o on o.refund_id = r.refund_id
          where r.taken_by = split_part(t.external_ref, ':', 1) and o.issued_at < ${to})
      when t.kind = 'refund_failed' then (
        select o.number from refund_tries r join documents o on o.refund_id = r.refund_id
          where r.returned_by = split_part(t.external_ref, ':', 1) and o.issued_at < ${to})
      when t.kind in ('dispute_lost', 'dispute_recovered') then (
        select o.number
          from disputes x
          join documents o on o.dispute_id = x.id
            and o.kind = case t.kind when 'dispute_lost' then 'credit_note' else 'receipt' end
          where x.dispute_id = t.external_ref and o.issued_at < ${to})
    end`;
}

/** The number of the document of a closed month, 'YYYY-MM'. */
export async function findStatementNumber(
  tx: Tx,
  { userId, side, book, currency }: StatementAccount,
  month: string,
): Promise<string | null> {
  const row = await tx
    .selectFrom('documents')
    .select('number')
    .where('month', '=', `${month}-01`)
    .where('kind', '=', 'statement')
    .where('userId', '=', userId)
    .where('side', '=', side)
    .where('book', '=', book)
    .where('currency', '=', currency)
    .executeTakeFirst();
  return row?.number ?? null;
}

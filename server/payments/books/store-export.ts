/** The SQL of export.ts. Amounts are cents. PostgreSQL returns their sums as text. */
import { sql } from 'kysely';
import type { PaymentBook } from '../../config.ts';
import type { Tx } from '../../db/database.ts';

export type ExportWindow = { book: PaymentBook; from: Date; to: Date };

/** The postings of a time, in the order of their entries, after one of them. An account is its kind and its owner's number. */
export async function listPostings(
  tx: Tx,
  { book, from, to }: ExportWindow,
  after: { entry: number; accountId: number } | null,
  limit: number,
) {
  const { rows } = await sql<{
    entry: number;
    accountId: number;
    occurredAt: Date;
    recordedAt: Date;
    kind: string;
    account: string;
    ad: string | null;
    amountCents: string;
    currency: string;
  }>`
    select t.id as entry, p.account_id as "accountId", t.occurred_at as "occurredAt", t.recorded_at as "recordedAt",
        t.kind, concat_ws(':', a.kind, a.owner_id) as account, d.public_id as ad, p.amount_cents as "amountCents",
        a.currency
      from ledger_tx t
      join ledger_postings p on p.tx_id = t.id
      join ledger_accounts a on a.id = p.account_id
      left join ads d on d.id = t.ad_id
      where t.recorded_at >= ${from} and t.recorded_at < ${to} and a.book = ${book}
        and (p.tx_id, p.account_id) > (${after?.entry ?? 0}, ${after?.accountId ?? 0})
      order by p.tx_id, p.account_id
      limit ${limit}`.execute(tx);
  return rows.map((row) => ({ ...row, amountCents: Number(row.amountCents) }));
}

/**
 * The deliveries of each publisher's ads by quarter, commission included, and the commission of the year. Names and
 * tax data are the present ones, or of the last document of an account that was deleted since.
 */
export async function sumPublishers(tx: Tx, { book, from, to }: ExportWindow) {
  const { rows } = await sql<{
    publisher: string;
    taxId: string | null;
    country: string | null;
    quarters: string[];
    fees: string;
  }>`
    with sold as (
      select w.user_id, extract(quarter from t.recorded_at at time zone 'utc')::integer as quarter,
          -sum(p.amount_cents) as gross, -coalesce(sum(p.amount_cents) filter (where a.kind = 'commission'), 0) as fees
        from ledger_tx t
        join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id
        join ads d on d.id = t.ad_id
        join ad_zones z on z.id = d.ad_zone_id
        join websites w on w.id = z.website_id
        where t.recorded_at >= ${from} and t.recorded_at < ${to} and a.book = ${book}
          and t.kind in ('accrual', 'correction', 'dispute_lost', 'tax')
          and a.kind in ('commission', 'publisher_payable', 'publisher_receivable')
        group by 1, 2
    ), by_user as (
      select user_id, sum(fees) as fees,
          array[
            coalesce(sum(gross) filter (where quarter = 1), 0), coalesce(sum(gross) filter (where quarter = 2), 0),
            coalesce(sum(gross) filter (where quarter = 3), 0), coalesce(sum(gross) filter (where quarter = 4), 0)
          ]::text[] as quarters
        from sold group by user_id
    )
    select case when u.deleted_at is null
          then coalesce(nullif(s.business_name, ''), concat_ws(' ', u.first_name, u.last_name)) || ' <' || u.email || '>'
          else coalesce(o.customer ->> 'name', 'Deleted account') || ' <' || u.email || '>' end as publisher,
        case when u.deleted_at is null then s.tax_id else o.customer ->> 'taxId' end as "taxId",
        case when u.deleted_at is null then s.country else o.customer ->> 'country' end as country,
        b.quarters, b.fees
      from by_user b
      join users u on u.id = b.user_id
      left join user_settings s on s.user_id = u.id
      left join lateral (
        -- The publisher is the supplier of a self-billing document.
        select case kind when 'self_billing' then seller else customer end as customer
          from documents
          where user_id = u.id and book = ${book} and kind in ('commission_note', 'self_billing')
          order by id desc limit 1) o on true
      order by u.id`.execute(tx);
  return rows.map(({ fees, quarters, ...row }) => ({
    ...row,
    quarters: quarters.map(Number),
    feeCents: Number(fees),
  }));
}

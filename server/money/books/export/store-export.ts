/** The SQL of export.ts. Amounts are cents. PostgreSQL returns their sums as text. */
import { sql } from 'kysely';
import type { AccountKind } from '#domain/payments/ledger.ts';
import type { Period } from '#domain/payments/periods.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { EARNING_KINDS } from '../../ledger/balances.ts';

export type ExportWindow = { book: PaymentBook; timeZone: string; period: Period; from: Date; to: Date };

/**
 * `entry` is the number of the entry in the ledger, which is the same in every export. `kind` is that of the entry, and
 * `day` the day of its recording, YYYY-MM-DD.
 */
export type Posting = {
  entry: number;
  accountId: number;
  occurredAt: Date;
  recordedAt: Date;
  day: string;
  kind: string;
  account: string;
  accountKind: AccountKind;
  ownerId: number | null;
  ad: string | null;
  amountCents: number;
  currency: string;
};

/** The postings of a time, in the order of their entries, after one of them. An account is its kind and its owner's number. */
export async function listPostings(
  tx: Tx,
  { book, timeZone, from, to }: ExportWindow,
  after: { entry: number; accountId: number } | null,
  limit: number,
): Promise<Posting[]> {
  const { rows } = await sql<Omit<Posting, 'amountCents'> & { amountCents: string }>`
    select t.id as entry, p.account_id as "accountId", t.occurred_at as "occurredAt", t.recorded_at as "recordedAt",
        to_char(t.recorded_at at time zone ${timeZone}, 'YYYY-MM-DD') as day,
        t.kind, concat_ws(':', a.kind, a.owner_id) as account, a.kind as "accountKind", a.owner_id as "ownerId",
        d.public_id as ad, p.amount_cents as "amountCents", a.currency
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

/** `owner` says whose account it is. Null for those of the platform. */
export type ExportedAccount = {
  account: string;
  kind: AccountKind;
  ownerId: number | null;
  owner: string | null;
  currency: string;
  openingCents: number;
  closingCents: number;
};

/** The accounts with a posting before the end of the period, with their balances at its beginning and its end. */
export async function listAccounts(tx: Tx, { book, from, to }: ExportWindow): Promise<ExportedAccount[]> {
  const { rows } = await sql<
    Omit<ExportedAccount, 'openingCents' | 'closingCents'> & { opening: string; closing: string }
  >`
    with sums as (
      select p.account_id, coalesce(sum(p.amount_cents) filter (where t.recorded_at < ${from}), 0) as opening,
          sum(p.amount_cents) as closing
        from ledger_postings p join ledger_tx t on t.id = p.tx_id
        where t.recorded_at < ${to}
        group by p.account_id
    )
    select concat_ws(':', a.kind, a.owner_id) as account, a.kind, a.owner_id as "ownerId", a.currency,
        case
          when a.kind in ('publisher_payable', 'publisher_receivable') then (
            select case when deleted_at is null then concat_ws(' ', first_name, last_name) || ' <' || email || '>'
              else 'Deleted account' end from users where id = a.owner_id)
          when a.kind = 'dispute_receivable' then (select dispute_id from disputes where id = a.owner_id)
          when a.kind in ('tax_payable', 'input_tax') then (
            select country || ' ' || trim_scale(rate / 1000.0) || ' %' from tax_accounts where id = a.owner_id)
          when a.owner_id is not null then (select public_id || ' ' || title from ads where id = a.owner_id)
        end as owner, s.opening, s.closing
      from sums s join ledger_accounts a on a.id = s.account_id
      where a.book = ${book}
      order by a.kind, a.owner_id nulls first`.execute(tx);
  return rows.map(({ opening, closing, ...row }) => ({
    ...row,
    openingCents: Number(opening),
    closingCents: Number(closing),
  }));
}

/**
 * The deliveries of each publisher's ads by quarter, commission included, the commission of the period, the number of ads
 * that were paid, what was paid out less what came back, and the tax that documents added to the earnings. Names and
 * tax data are the present ones, or of the last document of an account that was deleted since.
 */
export async function sumPublishers(tx: Tx, { book, timeZone, from, to }: ExportWindow) {
  const { rows } = await sql<{
    publisher: string;
    taxId: string | null;
    country: string | null;
    quarters: string[];
    fees: string;
    publisherId: number;
    paidOut: string;
    sales: string;
    tax: string;
  }>`
    with sold as (
      select w.user_id, extract(quarter from t.recorded_at at time zone ${timeZone})::integer as quarter,
          -sum(p.amount_cents) as gross, -coalesce(sum(p.amount_cents) filter (where a.kind = 'commission'), 0) as fees
        from ledger_tx t
        join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id
        join ads d on d.id = t.ad_id
        join ad_zones z on z.id = d.ad_zone_id
        join websites w on w.id = z.website_id
        where t.recorded_at >= ${from} and t.recorded_at < ${to} and a.book = ${book}
          and t.kind in ${EARNING_KINDS}
          and a.kind in ('commission', 'publisher_payable', 'publisher_receivable')
        group by 1, 2
    ), by_user as (
      select user_id, sum(fees) as fees,
          array[
            coalesce(sum(gross) filter (where quarter = 1), 0), coalesce(sum(gross) filter (where quarter = 2), 0),
            coalesce(sum(gross) filter (where quarter = 3), 0), coalesce(sum(gross) filter (where quarter = 4), 0)
          ]::text[] as quarters
        from sold group by user_id
    ), paid_out as (
      select a.owner_id as user_id, sum(p.amount_cents) as cents
        from ledger_tx t
        join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id
        where t.recorded_at >= ${from} and t.recorded_at < ${to} and a.book = ${book}
          and t.kind in ('transfer', 'reversal') and a.kind in ('publisher_payable', 'publisher_receivable')
        group by 1
    ), taxed as (
      select a.owner_id as user_id, -sum(p.amount_cents) as cents
        from ledger_tx t
        join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id
        where t.recorded_at >= ${from} and t.recorded_at < ${to} and a.book = ${book}
          and t.kind = 'input_tax' and a.kind in ('publisher_payable', 'publisher_receivable')
        group by 1
    ), paid as (
      select w.user_id, count(distinct t.ad_id) as sales
        from ledger_tx t
        join ads d on d.id = t.ad_id
        join ad_zones z on z.id = d.ad_zone_id
        join websites w on w.id = z.website_id
        where t.recorded_at >= ${from} and t.recorded_at < ${to} and t.kind = 'paid'
          and exists (
            select from ledger_postings p join ledger_accounts a on a.id = p.account_id
              where p.tx_id = t.id and a.book = ${book})
        group by 1
    )
    select case when u.deleted_at is null
          then coalesce(nullif(s.business_name, ''), concat_ws(' ', u.first_name, u.last_name)) || ' <' || u.email || '>'
          else coalesce(o.customer ->> 'name', 'Deleted account') || ' <' || u.email || '>' end as publisher,
        case when u.deleted_at is null then s.tax_id else o.customer ->> 'taxId' end as "taxId",
        case when u.deleted_at is null then s.country else o.customer ->> 'country' end as country,
        coalesce(b.quarters, '{0,0,0,0}') as quarters, coalesce(b.fees, 0) as fees, u.id as "publisherId",
        coalesce(m.cents, 0) as "paidOut", coalesce(n.sales, 0) as sales, coalesce(v.cents, 0) as tax
      from by_user b
      full join paid_out m using (user_id)
      full join paid n using (user_id)
      full join taxed v using (user_id)
      join users u on u.id = user_id
      left join user_settings s on s.user_id = u.id
      left join lateral (
        -- The publisher is the supplier of a self-billing document.
        select s.customer
          from documents, lateral (select case kind when 'self_billing' then seller else customer end as customer) as s
          where documents.user_id = u.id and book = ${book} and kind in ('commission_note', 'self_billing')
            and s.customer ->> 'name' <> 'Deleted account'
          order by id desc limit 1) o on true
      order by u.id`.execute(tx);
  return rows.map(({ fees, quarters, paidOut, sales, tax, ...row }) => ({
    ...row,
    quarters: quarters.map(Number),
    feeCents: Number(fees),
    paidOutCents: Number(paidOut),
    sales: Number(sales),
    taxCents: Number(tax),
  }));
}

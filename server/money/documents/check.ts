import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import type { Difference as LedgerDifference } from '../ledger/check.ts';
import { EARNING_KINDS } from '../ledger/balances.ts';
import { COMMISSION_MONTHS } from './store-months.ts';
import { leftToNote, LOSSES } from './store.ts';

type Difference = Omit<LedgerDifference, 'kind'> & {
  kind:
    | 'receipt_missing'
    | 'credit_note_missing'
    /** A series of numbers has a gap, or more numbers than documents. */
    | 'number_missing'
    /** The amount differs from the payment, the refund or the commission that the document is about. */
    | 'document_amount'
    /** The tax of a receipt differs from the payment's. */
    | 'document_tax'
    /** The credit notes of a receipt reverse more than its amount, or another tax than their part of its tax. */
    | 'reversal_differs'
    /** The balance in the statement of a closed month differs from the ledger's. */
    | 'statement_differs';
};

/**
 * Checks that each payment has its receipt, and each refund that left us and each lost dispute its credit note, that no
 * number is missing, that the amounts and the tax of documents are those of the payments, refunds and entries that they
 * are about, that a payment that was refunded in full ends with no tax, and that closed months have not
 * changed. Reads all documents. With a day, YYYY-MM-DD, compares only those documents of months with the ledger that were
 * issued since, because these comparisons read whole months. [DOCU-05, OWNS-105, BOOK-03]
 */
export async function checkDocuments(tx: Tx, since?: string): Promise<Difference[]> {
  const isNew = since === undefined ? sql`true` : sql`d.issued_at >= ${since}::timestamp at time zone 'utc'`;
  const newMonths = sql`(
    select min(m.begins) from documents d join ${COMMISSION_MONTHS} as m using (month)
      where d.kind in ('commission_note', 'self_billing') and ${isNew})`;
  const { rows } = await sql<Omit<Difference, 'amountCents'> & { amount: string }>`
    select 'receipt_missing' as kind, 'payment:' || p.id as ref, p.amount_cents as amount, p.currency, p.paid_at as since
      from payments p
      where p.status in ('succeeded', 'orphaned') and p.paid_at is not null
        and not exists (select from documents d where d.kind = 'receipt' and d.dispute_id is null and d.payment_id = p.id)
    union all
    select 'credit_note_missing', 'refund:' || r.id, r.amount_cents, p.currency, r.updated_at
      from refunds r join payments p on p.id = r.payment_id
      where r.status in ('sent', 'done') and r.cause <> 'not_as_agreed' and coalesce(r.note_cents, r.amount_cents) > 0
        and not exists (select from documents d where d.refund_id = r.id)
    union all
    select 'credit_note_missing', 'dispute:' || l.id, of.cents - coalesce(n.amount_cents, 0), l.currency, l.lost_at
      from ${LOSSES} as l
      join payments p on p.id = l.payment_id
      cross join lateral (select least(l.cents, ${leftToNote(sql`l.id`)}) as cents) as of
      left join documents n on n.dispute_id = l.id and n.kind = 'credit_note'
      where of.cents <> coalesce(n.amount_cents, 0)
    union all
    select 'receipt_missing', 'dispute:' || d.id, n.amount_cents - coalesce(r.amount_cents, 0), d.currency, d.recovered_at
      from disputes d
      join documents n on n.dispute_id = d.id and n.kind = 'credit_note'
      left join documents r on r.dispute_id = d.id and r.kind = 'receipt'
      where d.recovered_at is not null and n.amount_cents is distinct from r.amount_cents
    union all
    select 'number_missing', concat_ws(' ', s.kind, s.book, s.year), 0, coalesce(max(d.currency), (select currency from installation), ''),
        coalesce(max(d.issued_at), now())
      from document_series s left join documents d using (book, kind, year)
      group by s.book, s.kind, s.year
      having count(d.id) <> s.last or max(d.serial) is distinct from s.last
    union all
    -- Documents of a dispute are compared with its entries above, and those of a month with the entries of the month.
    select 'document_amount', d.number, d.amount_cents - coalesce(r.note_cents, r.amount_cents, p.amount_cents), d.currency,
        d.issued_at
      from documents d
      join payments p on p.id = d.payment_id
      left join refunds r on r.id = d.refund_id
      where d.dispute_id is null and d.amount_cents <> coalesce(r.note_cents, r.amount_cents, p.amount_cents)
    union all
    select 'document_amount', d.number, e.cents - coalesce(b.cents, 0), d.currency, d.issued_at
      from documents d
      -- Without the tax on top, which is compared with its own entry (input_tax_differs).
      cross join lateral (
        select d.amount_cents - case d.content ->> 'publisherTax' when 'on_top' then d.tax_cents else 0 end as cents) as e
      left join (
        select w.user_id, a.book, a.currency, m.months[width_bucket(t.recorded_at, m.ends) + 1] as month,
            case a.kind when 'commission' then 'commission_note' else 'self_billing' end as kind,
            -sum(p.amount_cents) as cents
          from ledger_tx t
          -- An entry belongs to the first month that ends after it.
          cross join (
            select array_agg(month order by month) as months, array_agg(ends order by month) as ends
              from ${COMMISSION_MONTHS} as closed) as m
          join ads on ads.id = t.ad_id
          join ad_zones z on z.id = ads.ad_zone_id
          join websites w on w.id = z.website_id
          join ledger_postings p on p.tx_id = t.id
          join ledger_accounts a on a.id = p.account_id
          where t.kind in ${EARNING_KINDS}
            and a.kind in ('commission', 'publisher_payable', 'publisher_receivable')
            and ${since === undefined ? sql`true` : sql`t.recorded_at >= ${newMonths}`}
          group by 1, 2, 3, 4, 5) as b
        on b.user_id = d.user_id and b.book = d.book and b.currency = d.currency and b.month = d.month and b.kind = d.kind
      where d.kind in ('commission_note', 'self_billing') and ${isNew} and e.cents <> coalesce(b.cents, 0)
    union all
    -- The tax of credit notes is compared with the receipt's below.
    select 'document_tax', d.number, coalesce(d.tax_cents, 0) - p.tax_cents, d.currency, d.issued_at
      from documents d join payments p on p.id = d.payment_id
      where d.kind = 'receipt' and d.dispute_id is null and p.tax_account_id is not null
        and d.tax_cents is distinct from p.tax_cents
    union all
    select 'reversal_differs', r.number, c.amount - r.amount_cents, r.currency, c.at
      from documents r
      cross join lateral (
        -- The receipt of a payment that came back takes its credit note back.
        select sum(s.sign * o.amount_cents) as amount, sum(s.sign * o.tax_cents) as tax, max(o.issued_at) as at
          from documents o, lateral (select case o.kind when 'receipt' then -1 else 1 end as sign) as s
          where o.payment_id = r.payment_id and (o.kind = 'credit_note' or o.dispute_id is not null)) as c
      where r.kind = 'receipt' and r.dispute_id is null
        and (c.amount > r.amount_cents or c.tax is distinct from case when c.amount >= r.amount_cents then r.tax_cents
          else round(c.amount * r.tax_rate / (100000 + r.tax_rate)) end)
    union all
    select 'statement_differs', d.number, d.amount_cents - coalesce(booked.cents, 0), d.currency, d.issued_at
      from documents d
      -- The last month of the reader's side up to the statement's, with the sum of all months up to it.
      left join (
        select o.user_id, o.side, o.book, o.currency, m.month,
            -sum(sum(m.amount_cents)) over side_months as cents, lead(m.month) over side_months as next
          from (
            select id, owner_id as user_id, 'publisher' as side, book, currency from ledger_accounts
              where kind in ('publisher_payable', 'publisher_receivable')
            union all
            select a.id, ads.user_id, 'buyer', a.book, a.currency
              from ledger_accounts a join ads on ads.id = a.owner_id
              where a.kind in ('deferred_publisher', 'deferred_commission', 'refund_payable')) as o
          join ledger_months m on m.account_id = o.id
          where o.user_id in (select d.user_id from documents d where d.kind = 'statement' and ${isNew})
          group by o.user_id, o.side, o.book, o.currency, m.month
          window side_months as (partition by o.user_id, o.side, o.book, o.currency order by m.month)) as booked
        on booked.user_id = d.user_id and booked.side = d.side and booked.book = d.book
          and booked.currency = d.currency and booked.month <= d.month
          and (booked.next is null or booked.next > d.month)
      where d.kind = 'statement' and ${isNew} and d.amount_cents <> coalesce(booked.cents, 0)
    order by since`.execute(tx);
  return rows.map(({ amount, ...row }) => ({ ...row, amountCents: Number(amount) }));
}

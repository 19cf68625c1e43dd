import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Difference as LedgerDifference } from '../ledger/check.ts';

type Difference = Omit<LedgerDifference, 'kind'> & {
  kind:
    | 'receipt_missing'
    | 'credit_note_missing'
    /** A series of numbers has a gap, or more numbers than documents. */
    | 'number_missing'
    /** The credit notes of a receipt reverse more than it says, or other tax than their part of it. */
    | 'reversal_differs'
    /** The balance of a closed month is another one by the ledger. */
    | 'statement_differs';
};

/**
 * Checks that each payment has its receipt, and each refund that left us and each lost dispute its credit note, that no number is missing, that a
 * payment that was refunded in full ends with no tax, and that closed months have not changed. Reads all documents. [DOCU-05]
 */
export async function checkDocuments(tx: Tx): Promise<Difference[]> {
  const { rows } = await sql<Omit<Difference, 'amountCents'> & { amount: string }>`
    select 'receipt_missing' as kind, 'payment:' || p.id as ref, p.amount_cents as amount, p.currency, p.paid_at as since
      from payments p
      where p.status in ('succeeded', 'orphaned') and p.paid_at is not null
        and not exists (select from documents d where d.kind = 'receipt' and d.dispute_id is null and d.payment_id = p.id)
        and not exists (select from undocumented u where u.payment_id = p.id)
    union all
    select 'credit_note_missing', 'refund:' || r.id, r.amount_cents, p.currency, r.updated_at
      from refunds r join payments p on p.id = r.payment_id
      where r.status in ('sent', 'done') and r.cause <> 'not_as_agreed'
        and not exists (select from documents d where d.refund_id = r.id)
        and not exists (select from undocumented u where u.refund_id = r.id)
    union all
    select 'credit_note_missing', 'dispute:' || l.id, l.cents - coalesce(n.amount_cents, 0), l.currency, l.lost_at
      from (
        select d.id, d.currency, d.lost_at, coalesce(sum(p.amount_cents), 0) as cents
          from disputes d
          join ledger_tx t on t.kind = 'dispute_lost' and t.external_ref = d.dispute_id
          join ledger_postings p on p.tx_id = t.id
          join ledger_accounts a on a.id = p.account_id and a.kind not in ('dispute_receivable', 'dispute_losses')
          where d.lost_at is not null and d.recovered_at is null
          group by d.id) as l
      left join documents n on n.dispute_id = l.id and n.kind = 'credit_note'
      where l.cents <> coalesce(n.amount_cents, 0)
        and not exists (select from undocumented u where u.dispute_id = l.id)
    union all
    select 'receipt_missing', 'dispute:' || d.id, n.amount_cents - coalesce(r.amount_cents, 0), d.currency, d.recovered_at
      from disputes d
      join documents n on n.dispute_id = d.id and n.kind = 'credit_note'
      left join documents r on r.dispute_id = d.id and r.kind = 'receipt'
      where d.recovered_at is not null and n.amount_cents is distinct from r.amount_cents
    union all
    select 'number_missing', concat_ws(' ', s.kind, s.book, s.year), 0, coalesce(max(d.currency), 'USD'),
        coalesce(max(d.issued_at), now())
      from document_series s left join documents d using (book, kind, year)
      group by s.book, s.kind, s.year
      having count(d.id) <> s.last or max(d.serial) is distinct from s.last
    union all
    select 'reversal_differs', r.number, c.amount - r.amount_cents, r.currency, c.at
      from documents r
      cross join lateral (
        -- The receipt of a payment that came back takes its credit note back.
        select sum(s.sign * o.amount_cents) as amount, sum(s.sign * o.tax_cents) as tax, max(o.issued_at) as at
          from documents o, lateral (select case o.kind when 'receipt' then -1 else 1 end as sign) as s
          where o.payment_id = r.payment_id and (o.kind = 'credit_note' or o.dispute_id is not null)) as c
      where r.kind = 'receipt' and r.dispute_id is null
        and (c.amount > r.amount_cents or c.tax is distinct from round(r.tax_cents * c.amount / r.amount_cents))
    union all
    select 'statement_differs', d.number, d.amount_cents - coalesce(booked.cents, 0), d.currency, d.issued_at
      from documents d
      cross join lateral (
        select -sum(m.amount_cents) as cents
          -- Two lists instead of a condition on the side, so that each statement finds its accounts by index.
          from (
            select id from ledger_accounts a
              where d.side = 'publisher' and a.kind in ('publisher_payable', 'publisher_receivable')
                and a.owner_id = d.user_id and a.book = d.book and a.currency = d.currency
            union all
            select a.id from ads join ledger_accounts a on a.owner_id = ads.id
              where d.side = 'buyer' and ads.user_id = d.user_id
                and a.kind in ('deferred_publisher', 'deferred_commission', 'refund_payable')
                and a.book = d.book and a.currency = d.currency) as a
          join ledger_months m on m.account_id = a.id
          where m.month <= d.month) as booked
      where d.kind = 'statement' and d.amount_cents <> coalesce(booked.cents, 0)
    order by since`.execute(tx);
  return rows.map(({ amount, ...row }) => ({ ...row, amountCents: Number(amount) }));
}

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
 * Checks that each payment has its receipt and each refund that left us its credit note, that no number is missing, that a
 * payment that was refunded in full ends with no tax, and that closed months have not changed. Reads all documents. [DOCU-05]
 */
export async function checkDocuments(tx: Tx): Promise<Difference[]> {
  const { rows } = await sql<Omit<Difference, 'amountCents'> & { amount: string }>`
    select 'receipt_missing' as kind, 'payment:' || p.id as ref, p.amount_cents as amount, p.currency, p.paid_at as since
      from payments p
      where p.status in ('succeeded', 'orphaned') and p.paid_at is not null
        and not exists (select from documents d where d.kind = 'receipt' and d.payment_id = p.id)
        and not exists (select from undocumented u where u.payment_id = p.id)
    union all
    select 'credit_note_missing', 'refund:' || r.id, r.amount_cents, p.currency, r.updated_at
      from refunds r join payments p on p.id = r.payment_id
      where r.status in ('sent', 'done') and r.cause <> 'not_as_agreed'
        and not exists (select from documents d where d.refund_id = r.id)
        and not exists (select from undocumented u where u.refund_id = r.id)
    union all
    select 'number_missing', concat_ws(' ', s.kind, s.book, s.year), 0, coalesce(max(d.currency), 'USD'),
        coalesce(max(d.issued_at), now())
      from document_series s left join documents d using (book, kind, year)
      group by s.book, s.kind, s.year
      having count(d.id) <> s.last or max(d.serial) is distinct from s.last
    union all
    select 'reversal_differs', r.number, sum(c.amount_cents) - r.amount_cents, r.currency, max(c.issued_at)
      from documents r join documents c on c.payment_id = r.payment_id and c.kind = 'credit_note'
      where r.kind = 'receipt'
      group by r.id
      having sum(c.amount_cents) > r.amount_cents
        or sum(c.tax_cents) is distinct from round(r.tax_cents * sum(c.amount_cents) / r.amount_cents)
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

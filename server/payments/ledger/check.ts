import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';

/**
 * Checks the ledger against the payments and returns a sentence for each mismatch; an empty list means that they agree.
 * Reads all rows, so use it only in tests and nightly reports.
 */
export async function ledgerImbalances(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    with posting as (
      select p.tx_id, p.amount_cents, a.kind, a.owner_id, a.currency, a.book
        from ledger_postings p join ledger_accounts a on a.id = p.account_id
    ), owed as (
      select owner_id as ad_id, book,
          sum(-amount_cents) filter (where kind in ('deferred_publisher', 'deferred_commission')) as deferred,
          sum(-amount_cents) filter (where kind = 'deferred_commission') as commission,
          sum(-amount_cents) filter (where kind = 'refund_payable') as refundable
        from posting where owner_id is not null group by 1, 2
    ), refunded as (
      select f.payment_id, sum(f.amount_cents) as amount, sum(f.commission_cents) as commission,
          sum(f.amount_cents) filter (where not exists (
            select from refund_tries t where t.refund_id = f.id and t.taken_by is not null and t.returned_by is null)) as untaken
        from refunds f group by 1
    )
    select format('transaction %s sums to %s %s', tx_id, sum(amount_cents), currency) as problem
      from posting group by tx_id, currency, book having sum(amount_cents) <> 0
    union all
    select format('book %s sums to %s %s', book, sum(amount_cents), currency)
      from posting group by currency, book having sum(amount_cents) <> 0
    union all
    select format('transaction %s has no postings', t.id)
      from ledger_tx t where not exists (select from ledger_postings p where p.tx_id = t.id)
    union all
    select format('paid ad %s: %s is deferred (%s of it commission), what is neither earned nor refunded is %s (%s)',
        l.ad_id, l.deferred, l.commission, l.left_amount, l.left_commission)
      from (
        select p.ad_id, coalesce(o.deferred, 0) as deferred, coalesce(o.commission, 0) as commission,
            p.amount_cents - coalesce(e.publisher_cents + e.commission_cents, 0) - coalesce(r.amount, 0) as left_amount,
            p.commission_cents - coalesce(e.commission_cents, 0) - coalesce(r.commission, 0) as left_commission
          from payments p
          left join owed o on o.ad_id = p.ad_id and o.book = p.book
          left join ad_earnings e on e.ad_id = p.ad_id
          left join refunded r on r.payment_id = p.id
          where p.status = 'succeeded') as l
      where (l.deferred, l.commission) is distinct from (l.left_amount, l.left_commission)
    union all
    select format('unpaid ad %s has %s deferred', o.ad_id, o.deferred)
      from owed o
      where coalesce(o.deferred, 0) <> 0
        and not exists (select from payments p where p.ad_id = o.ad_id and p.status = 'succeeded')
    union all
    select format('ad %s: %s is owed to its advertiser, open refunds are %s', o.ad_id, o.refundable, coalesce(r.unsent, 0))
      from owed o
      left join (
        select p.ad_id, sum(f.untaken) as unsent
          from refunded f join payments p on p.id = f.payment_id group by 1
      ) r on r.ad_id = o.ad_id
      where coalesce(o.refundable, 0) <> coalesce(r.unsent, 0)
    union all
    select format('payment %s is %s, but the ledger has no entry for its charge', p.id, p.status)
      from payments p
      where p.status in ('succeeded', 'orphaned')
        and not exists (
          select from ledger_tx t where t.external_ref = p.charge_id and t.kind in ('paid', 'orphan_paid'))`.execute(
    tx,
  );
  return rows.map(({ problem }) => problem);
}

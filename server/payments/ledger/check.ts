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
    select format('paid ad %s: %s is deferred (%s of it commission), its price is %s (%s)',
        p.ad_id, coalesce(o.deferred, 0), coalesce(o.commission, 0), p.amount_cents, p.commission_cents)
      from payments p left join owed o on o.ad_id = p.ad_id and o.book = p.book
      where p.status = 'succeeded'
        and (coalesce(o.deferred, 0), coalesce(o.commission, 0)) is distinct from (p.amount_cents, p.commission_cents)
    union all
    select format('unpaid ad %s has %s deferred', o.ad_id, o.deferred)
      from owed o
      where coalesce(o.deferred, 0) <> 0
        and not exists (select from payments p where p.ad_id = o.ad_id and p.status = 'succeeded')
    union all
    select format('ad %s: %s is owed to its advertiser, open refunds are %s', o.ad_id, o.refundable, coalesce(r.unsent, 0))
      from owed o
      left join (
        select p.ad_id, sum(f.amount_cents) as unsent
          from refunds f join payments p on p.id = f.payment_id where f.status = 'open' group by 1
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

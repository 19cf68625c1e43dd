/** What belongs to entries, for a check that does not read all entries. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import type { Scope } from './rules.ts';

/**
 * The entries with their ads, and the ads whose stored sums do not add up: the price is neither deferred, nor earned,
 * refunded, kept or lost. The second part reads a row of each table for each ad, and no posting. [BOOK-03]
 */
export async function scopeOf(tx: Tx, entries: readonly number[]): Promise<Scope> {
  const { rows } = await sql<{ ads: number[] }>`
    with held as (
      select a.owner_id as ad_id, -sum(b.amount_cents) as cents
        from ledger_accounts a join ledger_balances b on b.account_id = a.id
        where a.kind in ('deferred_publisher', 'deferred_commission') and b.amount_cents <> 0
        group by 1
    ), refunded as (
      select payment_id, sum(publisher_cents + commission_cents) as cents from refunds
        where cause not in ('too_late', 'not_as_agreed') group by 1
    ), kept as (
      select payment_id, sum(kept_publisher_cents + kept_commission_cents) as cents from cancels group by 1
    ), lost as (
      select payment_id, sum(lost_publisher_cents + lost_commission_cents) as cents
        from disputes where lost_at is not null and recovered_at is null group by 1)
    select array(
      select ad_id from ledger_tx where id = any(${entries}) and ad_id is not null
      union
      select p.ad_id
        from payments p
        left join held h on h.ad_id = p.ad_id
        left join ad_earnings e on e.ad_id = p.ad_id
        left join refunded r on r.payment_id = p.id
        left join kept k on k.payment_id = p.id
        left join lost l on l.payment_id = p.id
        where p.status = 'succeeded'
          and p.amount_cents <> coalesce(h.cents, 0) + coalesce(e.publisher_cents + e.commission_cents, 0)
            + coalesce(r.cents, 0) + coalesce(k.cents, 0) + coalesce(l.cents, 0)) as ads`.execute(tx);
  return { entries, ads: rows[0]?.ads ?? [] };
}

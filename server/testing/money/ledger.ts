/** Fills the ledger with entries of other ads, for tests of plans. */
import { sql } from 'kysely';
import type { Database } from '#server/platform/database/database.ts';

/**
 * Adds copies of an ad, with earnings and accounts, and entries of a year ago about the ad and each copy: `entriesEach`
 * accruals, and as many corrections. They are earnings of 400 other publishers. Then it analyzes the tables.
 */
export async function fillLedger(
  db: Database,
  adId: number,
  { copies, entriesEach }: { copies: number; entriesEach: number },
): Promise<void> {
  await sql`with copies as (
      insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
          commission_amount, pricing_model, duration, impressions, clicks)
        select user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
            commission_amount, pricing_model, duration, impressions, clicks
          from ads, generate_series(1, ${copies}) where ads.id = ${adId}
        returning id)
    insert into ad_earnings (ad_id, bought, until) select id, 100, now() - interval '1 year' from copies`.execute(
    db,
  );
  await sql`insert into ledger_accounts (kind, owner_id, currency, book)
    select kind, id, 'USD', 'sandbox' from ads, unnest(array['deferred_publisher', 'refund_payable']) kind
    union all
    select kind, 1000000 + n, 'USD', 'sandbox'
      from generate_series(1, 400) n, unnest(array['publisher_payable', 'refund_payable']) kind
    on conflict do nothing`.execute(db);
  await sql`with entries as (
      insert into ledger_tx (kind, external_ref, occurred_at, recorded_at, ad_id)
        select kind, format('%s:%s', id, n), at, at, id
          from ads, generate_series(1, ${entriesEach}) n, unnest(array['accrual', 'correction']) kind,
            (select now() - interval '1 year' as at)
        returning id)
    insert into ledger_postings (tx_id, account_id, amount_cents)
      select e.id, a.id, side.cents
        from entries e
        cross join (values ('provider_clearing', 1), ('publisher_payable', -1)) as side (kind, cents)
        join lateral (
          select id from ledger_accounts
            where kind = side.kind and (owner_id is null or owner_id = 1000001 + e.id % 400)) as a on true`.execute(
    db,
  );
  await sql`analyze websites, ad_zones, payments, ads, ad_earnings, ledger_accounts, ledger_tx, ledger_postings,
    ledger_balances, ledger_months`.execute(db);
}

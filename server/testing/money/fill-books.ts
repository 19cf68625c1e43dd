/** Fills a database with paid and delivered campaigns, as SQL, so that a million postings take a minute. */
import type pg from 'pg';
import { withDatabase, withoutTriggers } from '../database/fill.ts';

/** Each user has this many sales as the publisher, and as many as the advertiser. */
const SALES_EACH = 100;

/**
 * Adds `total` sales, an even number of hundreds, to a database that has only the bench's account. The first hundred are
 * on its website, and the second hundred are its campaigns. Each sale of the last 60 days has ten postings: the payment,
 * the provider's fee, and the earnings. The campaigns whose number `n` fulfills the SQL condition `runs` still run, and
 * the others are delivered. This week's payouts have been run for every publisher.
 */
export async function fillBooks(ownerUrl: string, total: number, runs = 'n % 20 = 0'): Promise<void> {
  await withDatabase(ownerUrl, async (client) => {
    // `money check` verifies the result instead of the triggers.
    await withoutTriggers(client, () => fill(client, total, runs));
    await client.query('vacuum analyze');
  });
}

async function fill(client: pg.Client, total: number, runs: string): Promise<void> {
  await client.query(
    `with added as (
          insert into users (email, password, role, is_email_verified)
            select 'trader' || n || '@bench.test', 'x', 'both', true
              from generate_series(2, $1::integer) n
            returning id)
        insert into user_settings (user_id) select id from added`,
    [total / SALES_EACH],
  );
  await client.query(`
      create temp table trader as select id as user_id, row_number() over (order by id) as place from users;
      with site as (
        insert into websites (user_id, name, description, url, category, monthly_visitors)
          select user_id, 'Site', 'About', 'https://trader' || place || '.example', 'Travel', 500
            from trader
          returning id)
      insert into ad_zones (website_id, name, width, height, zone_type)
        select id, 'Zone', 300, 250, 'rectangle' from site`);
  await client.query(
    `create temp table sale as
        select n, p.user_id as publisher_id, b.user_id as buyer_id, z.id as zone_id, ${runs} as runs,
            case when ${runs} then 5000 else 10000 end as units,
            date_trunc('day', now()) - interval '60 days' + n % 59 * interval '1 day' + n % 86400 * interval '1 second' as paid_at,
            null::integer as ad_id
          from generate_series(1, $1::integer) n
          join trader p on p.place = (n - 1) / ${SALES_EACH} + 1
          -- Neighbors buy from each other.
          join trader b on b.place = p.place + case when p.place % 2 = 1 then 1 else -1 end
          join websites w on w.user_id = p.user_id
          join ad_zones z on z.website_id = w.id`,
    [total],
  );
  await client.query(`
      insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
          pricing_model, impressions, total_impressions, status, ended_reason, payment_intent_id, approved_at, start_date,
          end_date)
        select buyer_id, zone_id, 'text', 'T', 'D', 'https://x.example', 100, 15, 'per_impression', 10000, units,
            case when runs then 'active' else 'completed' end, case when not runs then 'delivered' end, 'bench_' || n,
            paid_at, paid_at, case when not runs then paid_at + interval '1 day' end
          from sale order by n;
      update sale set ad_id = ads.id from ads where ads.payment_intent_id = 'bench_' || n;
      analyze sale;
      insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents, status, charge_id, paid_at, created_at)
        select ad_id, buyer_id, 'sandbox', 'USD', 'bench_' || n, 10000, 1500, 'succeeded', 'bench_charge_' || n, paid_at, paid_at
          from sale order by n;
      insert into ad_earnings (ad_id, units, bought, publisher_cents, commission_cents, until, entries, entry_units, due_at)
        select ad_id, units, 10000, units * 0.85, units * 0.15, paid_at + interval '1 day', 1, units,
            case when runs then now() + interval '1 day' end
          from sale;
      insert into earned_hours (ad_id, hour, publisher_cents, commission_cents)
        select ad_id, date_trunc('hour', paid_at, 'utc'), units * 0.85, units * 0.15 from sale;
      insert into payout_weeks (user_id, book, week)
        select user_id, 'sandbox', date_trunc('week', now(), 'UTC') from trader;
      insert into documents (book, kind, year, serial, number, user_id, issued_at, payment_id, amount_cents, currency, seller,
          customer, content)
        select 'sandbox', 'receipt', extract(year from now() at time zone 'UTC'), s.n,
            format('R-%s-%s', extract(year from now() at time zone 'UTC'), lpad(s.n::text, 6, '0')),
            s.buyer_id, now(), p.id, 10000,
            'USD', '{}', '{}', '{"kind": "receipt"}'
          from sale s join payments p on p.ad_id = s.ad_id;
      insert into documents_unlogged (document_id) select id from documents;
      insert into document_series (book, kind, year, last)
        select book, kind, year, max(serial) from documents where kind = 'receipt' group by 1, 2, 3`);
  await client.query(`
      insert into ledger_accounts (kind, owner_id, currency, book)
        select kind, null, 'USD', 'sandbox'
          from unnest(array['provider_clearing', 'provider_balance', 'processing_fees', 'commission']) kind
        union all
        select 'publisher_payable', user_id, 'USD', 'sandbox' from trader
        union all
        select kind, ad_id, 'USD', 'sandbox' from sale, unnest(array['deferred_publisher', 'deferred_commission']) kind;
      analyze ledger_accounts;
      insert into ledger_tx (kind, external_ref, occurred_at, recorded_at, ad_id, meta)
        select e.kind, e.ref, e.at, e.at, s.ad_id, e.meta
          from sale s
          cross join lateral (values
            ('paid', 'bench_charge_' || n, paid_at, '{}'::jsonb),
            ('fee', 'bench_fee_' || n, paid_at + interval '1 minute', '{}'),
            ('accrual', format('%s:1:0-%s', ad_id, units), paid_at + interval '1 day',
              jsonb_build_object('from', 0, 'to', units, 'of', 10000))) as e (kind, ref, at, meta)
          order by e.at, s.n;
      with added as (
        insert into ledger_postings (tx_id, account_id, amount_cents)
          select t.id, a.id, side.cents
            from sale s
            join ledger_tx t on t.ad_id = s.ad_id
            join lateral (values
              ('paid', 'provider_clearing', null, 10000),
              ('paid', 'deferred_publisher', s.ad_id, -8500),
              ('paid', 'deferred_commission', s.ad_id, -1500),
              ('fee', 'provider_balance', null, 9680),
              ('fee', 'processing_fees', null, 320),
              ('fee', 'provider_clearing', null, -10000),
              ('accrual', 'deferred_publisher', s.ad_id, s.units * 0.85),
              ('accrual', 'publisher_payable', s.publisher_id, s.units * -0.85),
              ('accrual', 'deferred_commission', s.ad_id, s.units * 0.15),
              ('accrual', 'commission', null, s.units * -0.15)) as side (entry, kind, owner_id, cents)
              on side.entry = t.kind
            join ledger_accounts a on a.kind = side.kind and coalesce(a.owner_id, 0) = coalesce(side.owner_id, 0)
            order by t.id, a.id
          returning tx_id, account_id)
      insert into ledger_unlogged (tx_id, account_id) select tx_id, account_id from added;
      insert into ledger_balances (account_id, amount_cents)
        select p.account_id, sum(p.amount_cents)
          from ledger_postings p join ledger_accounts a on a.id = p.account_id
          where a.kind in ('deferred_publisher', 'deferred_commission', 'publisher_payable')
          group by 1;
      insert into ledger_months (account_id, month, amount_cents, first_tx, last_tx)
        select p.account_id, date_trunc('month', t.recorded_at at time zone 'utc')::date, sum(p.amount_cents), min(t.id), max(t.id)
          from ledger_balances b
          join ledger_postings p on p.account_id = b.account_id
          join ledger_tx t on t.id = p.tx_id
          group by 1, 2`);
}

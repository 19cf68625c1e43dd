/** The rules that hold in the ledger. Each is a sentence about its breach, and a query that finds breaches. [LEDG-05] */
import { type RawBuilder, sql } from 'kysely';

/** The sum of each account, from its postings. */
const SUMS_OF_POSTINGS = sql`
  select account_id, kind, owner_id, currency, book, sum(cents) as cents, max(at) as at
    from of_month group by 1, 2, 3, 4, 5`;

/** The same from the months that the trigger keep_ledger_balance stores. Their time is the beginning of the last month. */
const STORED_SUMS = sql`
  select m.account_id, a.kind, a.owner_id, a.currency, a.book, m.cents, m.month::timestamp at time zone 'utc' as at
    from (select account_id, sum(amount_cents) as cents, max(month) as month from ledger_months group by 1) as m
    join ledger_accounts a on a.id = m.account_id`;

/** The facts that the rules read. A rule computes only the facts that its query names. */
const facts = (sums: RawBuilder<unknown>) => sql`
  posting as not materialized (
    select p.tx_id, p.account_id, p.amount_cents, a.kind, a.owner_id, a.currency, a.book,
        t.kind as entry, t.external_ref, t.ad_id, t.recorded_at, (t.meta ->> 'transfer')::integer as transfer_id
      from ledger_postings p
      join ledger_accounts a on a.id = p.account_id
      join ledger_tx t on t.id = p.tx_id
  ), of_month as (
    select account_id, kind, owner_id, currency, book, date_trunc('month', recorded_at at time zone 'utc')::date as month,
        sum(amount_cents) as cents, min(tx_id) as first_tx, max(tx_id) as last_tx, max(recorded_at) as at
      from posting
      where kind in ('deferred_publisher', 'deferred_commission', 'publisher_payable', 'publisher_receivable',
        'refund_payable', 'tax_deferred')
      group by 1, 2, 3, 4, 5, 6
  ), account as (
    ${sums}
  ), of_ad as (
    select owner_id as ad_id, max(currency) as currency, max(recorded_at) as at,
        coalesce(sum(amount_cents) filter (where kind = 'deferred_publisher' and entry in ('accrual', 'correction')), 0)
          as publisher,
        coalesce(sum(amount_cents) filter (where kind = 'deferred_commission' and entry in ('accrual', 'correction')), 0)
          as commission,
        coalesce(sum(amount_cents) filter (where kind = 'deferred_publisher' and entry = 'accrual'), 0) as accrued,
        -coalesce(sum(amount_cents) filter (where kind = 'deferred_publisher'), 0) as left_publisher,
        -coalesce(sum(amount_cents) filter (where kind = 'deferred_commission'), 0) as left_commission,
        coalesce(sum(amount_cents) filter (where kind <> 'refund_payable' and entry = 'undelivered'), 0) as undelivered,
        coalesce(sum(amount_cents) filter (
          where kind <> 'refund_payable' and entry in ('dispute_lost', 'dispute_recovered')), 0) as lost,
        coalesce(sum(amount_cents) filter (where entry = 'cancel_fee'), 0) as kept,
        -coalesce(sum(amount_cents) filter (where kind = 'refund_payable'), 0) as refundable
      from posting
      where kind in ('deferred_publisher', 'deferred_commission', 'refund_payable')
      group by 1
  ), hours as (
    select ad_id, sum(publisher_cents) as publisher, sum(commission_cents) as commission
      from earned_hours group by 1
  ), taken as (
    select ad_id, coalesce(sum(amount_cents) filter (where kind <> 'commission'), 0) as publisher,
        coalesce(sum(amount_cents) filter (where kind = 'commission'), 0) as commission
      from posting
      where entry in ('dispute_lost', 'dispute_recovered')
        and kind in ('publisher_payable', 'publisher_receivable', 'commission')
      group by 1
  ), sale as (
    select external_ref, owner_id as ad_id, currency, max(recorded_at) as at,
        -sum(amount_cents) filter (where kind in ('deferred_publisher', 'deferred_commission')) as cents,
        -coalesce(sum(amount_cents) filter (where kind = 'deferred_commission'), 0) as commission
      from posting
      where entry = 'paid' and kind in ('deferred_publisher', 'deferred_commission')
      group by 1, 2, 3
  ), loss as (
    select external_ref,
        coalesce(sum(amount_cents) filter (where kind = 'deferred_publisher'), 0) as publisher,
        coalesce(sum(amount_cents) filter (where kind = 'deferred_commission'), 0) as commission,
        coalesce(sum(amount_cents) filter (where kind in ('publisher_payable', 'publisher_receivable')), 0) as borne,
        coalesce(sum(amount_cents) filter (where kind = 'dispute_losses'), 0) as absorbed,
        -coalesce(sum(amount_cents) filter (where kind = 'dispute_receivable'), 0) as receivable
      from posting where entry = 'dispute_lost' group by 1
  ), receivable as (
    select owner_id, sum(amount_cents) as cents from posting where kind = 'dispute_receivable' group by 1
  ), late as (
    select external_ref, owner_id as ad_id, -sum(amount_cents) as cents
      from posting where entry = 'orphan_paid' and kind = 'refund_payable' group by 1, 2
  ), refund as (
    -- Money from suspense is not the price of the ad.
    select p.ad_id, max(p.currency) as currency,
        coalesce(sum(f.publisher_cents + f.commission_cents) filter (where f.cause <> 'not_as_agreed'), 0) as cents,
        coalesce(sum(f.publisher_cents + f.commission_cents)
          filter (where f.cause not in ('too_late', 'not_as_agreed')), 0) as undelivered,
        coalesce(sum(f.goodwill_cents), 0) as goodwill,
        -- The amount that the provider took and has not returned.
        coalesce(sum(f.amount_cents) filter (where not exists (
          select from refund_tries t
            where t.refund_id = f.id and t.taken_by is not null and t.returned_by is null)
          and f.settled_by is null and f.paid_by_hand_at is null), 0) as untaken
      from refunds f join payments p on p.id = f.payment_id
      group by 1
  ), sent as (
    select t.id, t.ad_id, o.user_id, o.book, o.currency, o.created_at as at, t.amount_cents, t.reversed_cents
      from payout_transfers t join payouts o on o.id = t.payout_id
      where t.state = 'sent'
  ), transfer as (
    select transfer_id as id, max(currency) as currency, max(recorded_at) as at,
        coalesce(sum(amount_cents) filter (where entry = 'transfer'), 0) as sent,
        -coalesce(sum(amount_cents) filter (where entry = 'reversal'), 0) as reversed
      from posting
      where entry in ('transfer', 'reversal') and kind in ('publisher_payable', 'publisher_receivable')
      group by 1
  ), balance as (
    select owner_id as user_id, book, currency, -sum(cents) as cents, max(at) as at
      from account where kind in ('publisher_payable', 'publisher_receivable') group by 1, 2, 3
  ), unpaid as (
    select user_id, book, currency, sum(cents) as cents
      from (
        select w.user_id, m.book, m.currency, e.publisher_cents - (
              select coalesce(sum(d.borne_cents), 0) from disputes d where d.payment_id = m.id) as cents
          from ad_earnings e
          join ads a on a.id = e.ad_id
          join ad_zones z on z.id = a.ad_zone_id
          join websites w on w.id = z.website_id
          join payments m on m.ad_id = a.id and m.status = 'succeeded'
        union all
        select user_id, book, currency, reversed_cents - amount_cents from sent
        union all
        select owner_id, book, currency, -amount_cents from posting
          where (entry = 'earnings_waived' and kind = 'publisher_payable')
            or (entry in ('debt_paid', 'debt_written_off', 'debt_restored') and kind = 'publisher_receivable')
        union all
        select user_id, book, currency, tax_cents from documents
          where content ? 'publisherTax' and content ->> 'publisherTax' = 'on_top') as moved
      group by 1, 2, 3
  ), billed as (
    -- The documents with the mark of their tax.
    select input_tax_ref(d) as ref, d.number, d.user_id, d.book, d.tax_cents, d.tax_rate, d.tax_country, d.currency,
        d.issued_at, d.content ->> 'publisherTax' = 'on_top' as "isOnTop"
      from documents d where d.content ? 'publisherTax'
  ), deducted as (
    select p.external_ref as ref, max(p.currency) as currency, max(p.recorded_at) as at,
        max(a.country) as country, max(a.rate) as rate,
        coalesce(sum(p.amount_cents) filter (where p.kind = 'input_tax'), 0) as cents,
        -coalesce(sum(p.amount_cents) filter (where p.kind in ('publisher_payable', 'publisher_receivable')), 0) as added
      from posting p left join tax_accounts a on p.kind = 'input_tax' and a.id = p.owner_id
      where p.entry = 'input_tax' group by 1
  ), taxed as (
    select p.ad_id, max(p.currency) as currency, max(p.recorded_at) as at,
        -coalesce(sum(p.amount_cents) filter (where p.kind = 'tax_payable'), 0) as owed,
        coalesce(sum(p.amount_cents) filter (where p.kind = 'tax_deferred'), 0) as deferred
      from posting p where p.entry = 'tax' group by 1
  ), back as (
    select ad_id, sum(amount_cents * case when kind = 'refund_payable' then -1 else 1 end) as cents
      from posting
      where (entry in ('undelivered', 'goodwill') and kind = 'refund_payable')
        or (entry in ('dispute_lost', 'dispute_recovered') and kind in ('deferred_publisher', 'deferred_commission',
          'publisher_payable', 'publisher_receivable', 'commission'))
      group by 1
  ), paid as (
    select ad_id, sum(amount_cents) as cents, max(currency) as currency, max(paid_at) as at
      from payments where status in ('succeeded', 'orphaned') group by 1
  )`;

/** The facts from all postings. */
export const ALL_FACTS = sql`with ${facts(SUMS_OF_POSTINGS)}`;

/** The facts about accounts from their stored sums. */
export const STORED_FACTS = sql`with ${facts(STORED_SUMS)}`;

/** The entries and ads that a check reads, with all that belongs to them. */
export type Scope = { entries: readonly number[]; ads: readonly number[] };

/**
 * The facts about the ads of a scope, and about its entries. Each table is hidden by its rows in the scope, so that the rules
 * are the same as those over everything.
 */
export const factsOf = ({ entries, ads }: Scope): RawBuilder<unknown> => sql`
  with ledger_tx as materialized (
    select * from ledger_tx where ad_id = any(${ads})
      -- Transfers of tax have no ad that leads to them. Their sums are part of publisher_differs.
      or (id = any(${entries}) and (ad_id is not null or kind not in ('transfer', 'reversal')))
  ), documents as (
    select d.* from ledger_tx t
      join documents d on d.user_id = (t.meta ->> 'user')::integer and input_tax_ref(d) = t.external_ref
      where t.kind = 'input_tax' and d.content ? 'publisherTax'
  ), ledger_postings as materialized (
    -- "offset 0" keeps the planner from reading all postings.
    select p.* from ledger_tx t cross join lateral (select * from ledger_postings where tx_id = t.id offset 0) as p
  ), payments as (
    select * from payments where ad_id = any(${ads})
  ), refunds as (
    select r.* from payments p join refunds r on r.payment_id = p.id
  ), cancels as (
    select c.* from payments p join cancels c on c.payment_id = p.id
  ), disputes as (
    select d.* from payments p join disputes d on d.payment_id = p.id
  ), payout_transfers as (
    select * from payout_transfers where ad_id = any(${ads})
  ), ad_earnings as (
    select * from ad_earnings where ad_id = any(${ads})
  ), earned_hours as (
    select * from earned_hours where ad_id = any(${ads})
  ), ${facts(SUMS_OF_POSTINGS)}`;

/**
 * `find` returns rows of five columns: our number of the entry, the ad or the payment, or the account's kind and owner; the
 * size of the difference in cents; its currency; and when the latest entry behind it was recorded.
 */
export type Rule = {
  sentence: string;
  find: RawBuilder<unknown>;
  /**
   * How the check of what came since knows it, if the rule is about accounts, which have postings of many ads: from their
   * stored sums, or from the opening of the signed day, which has the hash of all months.
   */
  ofAccounts?: 'stored' | 'opening';
};

export const RULES = {
  unbalanced_entry: {
    sentence: 'The postings of an entry do not sum to zero',
    find: sql`
      select tx_id::text as ref, sum(amount_cents) as amount, currency,
        max(recorded_at) as since
      from posting group by tx_id, currency, book having sum(amount_cents) <> 0`,
  },
  unbalanced_book: {
    sentence: 'All postings of a book do not sum to zero',
    find: sql`
      select book, sum(amount_cents), currency, max(recorded_at)
      from posting group by currency, book having sum(amount_cents) <> 0`,
  },
  kept_differs: {
    sentence: 'The fee that was kept after a cancel differs from its entry',
    find: sql`
      select coalesce(p.ad_id, o.ad_id)::text, coalesce(o.kept, 0) - coalesce(p.cents, 0), coalesce(o.currency, p.currency),
        coalesce(o.at, p.at)
      from (select m.ad_id, sum(c.kept_publisher_cents + c.kept_commission_cents) as cents, max(m.currency) as currency,
          max(c.created_at) as at
        from cancels c join payments m on m.id = c.payment_id group by 1) p
      full join of_ad o using (ad_id)
      where coalesce(o.kept, 0) <> coalesce(p.cents, 0)`,
  },
  empty_entry: {
    sentence: 'An entry has no postings',
    find: sql`
      select t.id::text, 0, coalesce((select currency from installation), ''), t.recorded_at
      from ledger_tx t where not exists (select from ledger_postings p where p.tx_id = t.id)`,
  },
  overdrawn: {
    ofAccounts: 'stored',
    sentence: 'The balance of an account has the wrong sign',
    find: sql`
      select format('%s:%s', kind, owner_id), cents, currency, at from account
      where case when kind in ('publisher_receivable', 'tax_deferred') then cents < 0 else cents > 0 end`,
  },
  balance_differs: {
    ofAccounts: 'stored',
    sentence: 'The balance of an account is not the sum of its postings',
    find: sql`
      select format('%s:%s', a.kind, a.owner_id), coalesce(b.amount_cents, 0) - a.cents, a.currency, a.at
      from account a left join ledger_balances b using (account_id)
      where coalesce(b.amount_cents, 0) <> a.cents`,
  },
  month_differs: {
    ofAccounts: 'opening',
    sentence: 'The stored sum of an account and a month is not the sum of its postings',
    find: sql`
      select format('%s:%s:%s', o.kind, o.owner_id, to_char(o.month, 'YYYY-MM')),
        coalesce(m.amount_cents, 0) - o.cents, o.currency, o.at
      from of_month o left join ledger_months m using (account_id, month)
      where (m.amount_cents, m.first_tx, m.last_tx) is distinct from (o.cents, o.first_tx, o.last_tx)`,
  },
  payment_not_booked: {
    sentence: 'The entry of a payment is missing or has another amount',
    find: sql`
      select p.id::text, p.amount_cents - coalesce(s.cents, l.cents, 0), p.currency, p.paid_at
      from payments p
      left join sale s on p.status = 'succeeded' and s.external_ref = p.charge_id and s.ad_id = p.ad_id
      left join late l on p.status = 'orphaned' and l.external_ref = p.charge_id and l.ad_id = p.ad_id
      where p.status in ('succeeded', 'orphaned')
        and (coalesce(s.cents, l.cents, 0) <> p.amount_cents
          or (p.status = 'succeeded' and s.commission <> p.commission_cents))`,
  },
  sale_without_payment: {
    sentence: 'An ad has a sale in the ledger but no payment',
    find: sql`
      select s.ad_id::text, s.cents, s.currency, s.at
      from sale s
      where not exists (
        select from payments p
          where p.ad_id = s.ad_id and p.charge_id = s.external_ref and p.status = 'succeeded')`,
  },
  earnings_differ: {
    sentence: 'The earnings of an ad are not the sum of its accruals',
    find: sql`
      select o.ad_id::text,
        o.publisher + o.commission - coalesce(e.publisher_cents, 0) - coalesce(e.commission_cents, 0), p.currency, o.at
      from of_ad o left join ad_earnings e using (ad_id) join paid p using (ad_id)
      where (o.publisher, o.commission) is distinct from
        (coalesce(e.publisher_cents, 0), coalesce(e.commission_cents, 0))`,
  },
  hours_differ: {
    sentence: 'The earnings of an ad by the hour do not add up to its entries',
    find: sql`
      select o.ad_id::text,
        coalesce(h.publisher, 0) + coalesce(h.commission, 0)
          - o.publisher - o.commission + coalesce(t.publisher, 0) + coalesce(t.commission, 0), p.currency, o.at
      from of_ad o
      join paid p using (ad_id)
      left join hours h using (ad_id)
      left join taken t using (ad_id)
      left join ad_earnings e using (ad_id)
      where (coalesce(h.publisher, 0), coalesce(h.commission, 0)) is distinct from
          (o.publisher - coalesce(t.publisher, 0), o.commission - coalesce(t.commission, 0))
        or (coalesce(e.taken_publisher_cents, 0), coalesce(e.taken_commission_cents, 0)) is distinct from
          (coalesce(t.publisher, 0), coalesce(t.commission, 0))`,
  },
  // Where a part of the price was refunded, the last units earn nothing.
  earnings_wrong: {
    sentence: 'The earnings of an ad do not match its delivered units',
    find: sql`
      select e.ad_id::text, e.publisher_cents + e.commission_cents - r.publisher - r.commission, p.currency, o.at
      from ad_earnings e
      join of_ad o using (ad_id)
      join paid p using (ad_id)
      join payments m on m.ad_id = e.ad_id and m.status = 'succeeded'
      cross join lateral (
        select
            least(div((m.amount_cents - m.commission_cents)::numeric * e.units, e.bought),
              e.publisher_cents + o.left_publisher) as publisher,
            least(div(m.commission_cents::numeric * e.units, e.bought), e.commission_cents + o.left_commission)
              as commission) as r
      where e.due_at is distinct from '-infinity' and e.closed_at is null
        and (e.publisher_cents, e.commission_cents) is distinct from (r.publisher, r.commission)`,
  },
  refunded_too_much: {
    sentence: 'An ad has earned and refunded more than was paid for it',
    find: sql`
      select p.ad_id::text, o.publisher + o.commission + coalesce(r.cents, 0) - p.cents, p.currency, p.at
      from paid p left join of_ad o using (ad_id) left join refund r using (ad_id)
      where coalesce(o.publisher, 0) + coalesce(o.commission, 0) + coalesce(r.cents, 0) > p.cents`,
  },
  undelivered_differs: {
    sentence: 'The refunds of an ad differ from the undelivered part in its entries',
    find: sql`
      select coalesce(o.ad_id, r.ad_id)::text,
        coalesce(o.undelivered, 0) - coalesce(r.undelivered, 0), coalesce(o.currency, r.currency), coalesce(o.at, p.at)
      from of_ad o full join refund r using (ad_id) left join paid p on p.ad_id = coalesce(o.ad_id, r.ad_id)
      where coalesce(o.undelivered, 0) <> coalesce(r.undelivered, 0)`,
  },
  money_missing: {
    sentence: 'The deferred, earned, refunded, kept and lost money of an ad does not add up to its payment',
    find: sql`
      select s.ad_id::text, s.cents
        - o.left_publisher - o.left_commission - o.publisher - o.commission - o.undelivered - o.lost - o.kept, s.currency, o.at
      from sale s join of_ad o using (ad_id)
      where s.cents
        <> o.left_publisher + o.left_commission + o.publisher + o.commission + o.undelivered + o.lost + o.kept`,
  },
  loss_differs: {
    sentence: 'The loss of a dispute differs from its entries',
    find: sql`
      select d.dispute_id, coalesce(l.receivable, 0), d.currency, d.lost_at
      from disputes d
      left join loss l on l.external_ref = d.dispute_id
      left join receivable r on r.owner_id = d.id
      where d.lost_at is not null
        and (coalesce(r.cents, 0) <> 0
          or d.recovered_at is null and (l.publisher, l.commission, l.borne, l.absorbed) is distinct from
            (d.lost_publisher_cents, d.lost_commission_cents, d.borne_cents,
              d.absorbed_cents + (select coalesce(sum(amount_cents), 0) from refunds where settled_by = d.id)))`,
  },
  goodwill_differs: {
    sentence: 'The part of the refunds of an ad that the marketplace bears differs from its entries',
    find: sql`
      select coalesce(g.ad_id, r.ad_id)::text, coalesce(g.cents, 0) - coalesce(r.goodwill, 0),
        coalesce(g.currency, r.currency), coalesce(g.at, p.at)
      from (select ad_id, sum(amount_cents) as cents, max(currency) as currency, max(recorded_at) as at
        from posting where kind = 'goodwill' group by 1) g
      full join refund r using (ad_id) left join paid p on p.ad_id = coalesce(g.ad_id, r.ad_id)
      where coalesce(g.cents, 0) <> coalesce(r.goodwill, 0)`,
  },
  refund_differs: {
    sentence: 'The amount owed to the advertiser of an ad differs from its refunds',
    find: sql`
      select o.ad_id::text, o.refundable - coalesce(r.untaken, 0), o.currency, o.at
      from of_ad o left join refund r using (ad_id)
      where o.refundable <> coalesce(r.untaken, 0)`,
  },
  transfer_differs: {
    sentence: 'The amount of a transfer, or of its reversals, differs from its entries',
    find: sql`
      select coalesce(s.id, t.id)::text,
        coalesce(t.sent - t.reversed, 0) - coalesce(s.amount_cents - s.reversed_cents, 0),
        coalesce(s.currency, t.currency), coalesce(t.at, s.at)
      from sent s full join transfer t using (id)
      where (s.amount_cents, s.reversed_cents) is distinct from (t.sent, t.reversed)`,
  },
  // Earnings that were withdrawn or lost after a transfer explain the rest. Transfers without an ad are those of tax.
  transferred_too_much: {
    sentence: 'More was transferred for an ad than it has ever earned',
    find: sql`
      select s.ad_id::text, sum(s.amount_cents - s.reversed_cents) - coalesce(max(o.accrued), 0),
        max(s.currency), max(s.at)
      from sent s left join of_ad o using (ad_id)
      where s.ad_id is not null
      group by s.ad_id
      having sum(s.amount_cents - s.reversed_cents) > coalesce(max(o.accrued), 0)`,
  },
  input_tax_differs: {
    sentence: 'The tax of a self-billing document differs from its entry',
    find: sql`
      select coalesce(b.number, d.ref), coalesce(d.cents, 0) - coalesce(b.tax_cents, 0), coalesce(b.currency, d.currency),
        coalesce(d.at, b.issued_at)
      from billed b full join deducted d using (ref)
      where (b.tax_cents, b.tax_country, b.tax_rate, case when b."isOnTop" then b.tax_cents else 0 end)
        is distinct from (d.cents, d.country, d.rate, d.added)`,
  },
  publisher_differs: {
    ofAccounts: 'stored',
    sentence:
      'The balance of a publisher differs from their earnings less the earnings that were paid out or given up',
    find: sql`
      select coalesce(b.user_id, u.user_id)::text, coalesce(b.cents, 0) - coalesce(u.cents, 0),
        coalesce(b.currency, u.currency), coalesce(b.at, now())
      from balance b full join unpaid u using (user_id, book, currency)
      where coalesce(b.cents, 0) <> coalesce(u.cents, 0)`,
  },
  tax_differs: {
    sentence: 'The tax of a sale in the ledger differs from the tax inside what was paid and not refunded',
    find: sql`
      select coalesce(m.ad_id, t.ad_id)::text, coalesce(t.owed, 0) - coalesce(w.owed, 0), coalesce(m.currency, t.currency),
        coalesce(t.at, m.paid_at)
      from (select * from payments where status = 'succeeded' and tax_cents > 0) m
      full join taxed t on t.ad_id = m.ad_id
      left join of_ad o on o.ad_id = m.ad_id
      left join back b on b.ad_id = m.ad_id
      left join tax_accounts a on a.id = m.tax_account_id
      cross join lateral (
        select m.tax_cents - case when coalesce(b.cents, 0) >= m.amount_cents then m.tax_cents
            else round(coalesce(b.cents, 0)::numeric * a.rate / (100000 + a.rate)) end as owed,
          m.tax_cents - div(m.tax_cents::numeric * (m.amount_cents - o.left_publisher - o.left_commission),
            m.amount_cents) as deferred) as w
      where (coalesce(t.owed, 0), coalesce(t.deferred, 0)) is distinct from (coalesce(w.owed, 0), coalesce(w.deferred, 0))`,
  },
} as const satisfies Record<string, Rule>;

-- The earnings of each ad by the hour of their delivery, for the figures over time (docs/decisions/074-figures-by-delivery.md).
-- The ledger dates an accrual by its end, which can be long after the delivery. accrueAd and the entries of lost disputes
-- write these rows, and `openslot money check` compares them with the ledger.
create table earned_hours (
  ad_id integer not null references ads on delete restrict,
  hour timestamptz not null,
  -- Negative in an hour in which traffic was withdrawn, or a dispute was lost.
  publisher_cents bigint not null,
  commission_cents bigint not null,
  primary key (ad_id, hour),
  constraint earned_hours_whole check (hour = date_trunc('hour', hour, 'utc'))
);

-- The part of an ad's earnings that lost disputes took back.
alter table ad_earnings
  add column taken_publisher_cents bigint not null default 0,
  add column taken_commission_cents bigint not null default 0;

update ad_earnings e set taken_publisher_cents = t.publisher, taken_commission_cents = t.commission
  from (
    select t.ad_id,
        coalesce(sum(p.amount_cents) filter (where a.kind <> 'commission'), 0) as publisher,
        coalesce(sum(p.amount_cents) filter (where a.kind = 'commission'), 0) as commission
      from ledger_tx t
      join ledger_postings p on p.tx_id = t.id
      join ledger_accounts a on a.id = p.account_id
        and a.kind in ('publisher_payable', 'publisher_receivable', 'commission')
      where t.kind in ('dispute_lost', 'dispute_recovered')
      group by t.ad_id) as t
  where t.ad_id = e.ad_id;

-- Entries were posted hourly, so the hour before the end of an accrual is the hour of most of its delivery.
insert into earned_hours (ad_id, hour, publisher_cents, commission_cents)
  select ad_id, date_trunc('hour', at, 'utc'),
      coalesce(sum(cents) filter (where kind <> 'commission'), 0),
      coalesce(sum(cents) filter (where kind = 'commission'), 0)
    from (
      select t.ad_id, t.occurred_at - interval '1 microsecond' as at, p.amount_cents as cents,
          case a.kind when 'deferred_commission' then 'commission' else 'publisher' end as kind
        from ledger_tx t
        join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id and a.kind in ('deferred_publisher', 'deferred_commission')
        where t.kind in ('accrual', 'correction')
      union all
      select t.ad_id, t.occurred_at, -p.amount_cents,
          case a.kind when 'commission' then 'commission' else 'publisher' end
        from ledger_tx t
        join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id
          and a.kind in ('publisher_payable', 'publisher_receivable', 'commission')
        where t.kind in ('dispute_lost', 'dispute_recovered')
    ) as earned
    group by 1, 2;

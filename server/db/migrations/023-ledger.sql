-- Earnings by delivery, and a ledger that guards itself against direct statements
-- (docs/decisions/029-earned-by-delivery.md).

-- The database transaction that made an entry. Postings can only be added in that one
-- (server/db/functions/guard_ledger_posting.sql). Null for entries from before, so nothing can be added to them.
alter table ledger_tx add column xact xid8;

-- What an account that must never be overdrawn holds now. The trigger keep_ledger_balance writes it with each posting.
create table ledger_balances (
  account_id integer primary key references ledger_accounts on delete restrict,
  amount_cents bigint not null
);
insert into ledger_balances (account_id, amount_cents)
  select p.account_id, sum(p.amount_cents)
    from ledger_postings p join ledger_accounts a on a.id = p.account_id
    where a.kind in ('deferred_publisher', 'deferred_commission', 'publisher_payable', 'refund_payable')
    group by p.account_id;

alter table ad_earnings
  -- Numbers the entries, so that the same units can be earned again after a withdrawal was overruled.
  add column entries integer not null default 0,
  -- The units of the last entry. `units` may be a little ahead, where they did not amount to a whole cent.
  add column entry_units bigint not null default 0,
  -- When the next accrual is due. Null once the ad has ended and everything is posted.
  add column due_at timestamptz,
  add constraint ad_earnings_entry_units check (entry_units between 0 and bought);
create index ad_earnings_due on ad_earnings (due_at, ad_id) where due_at is not null;

-- Nothing was earned before this version. What an ad by the day delivered before it was taken down is not recorded, so
-- the time between its start and its end stands for it.
insert into ad_earnings (ad_id, units, bought, until, due_at)
  select a.id,
      case when a.pricing_model = 'per_day' and a.ended_reason <> 'delivered'
        then least(a.duration * 86400::bigint, greatest(0, floor(extract(epoch from a.end_date - a.start_date))::bigint))
        else 0 end,
      case a.pricing_model
        when 'per_day' then a.duration * 86400::bigint
        when 'per_impression' then a.impressions
        else a.clicks end,
      a.start_date, '-infinity'
    from ads a where a.status in ('active', 'completed')
  on conflict (ad_id) do nothing;

-- The change of each month on the accounts of publishers and advertisers, so that a statement reads the sums of earlier
-- months and the postings of its own month (docs/decisions/043-documents.md). The trigger keep_ledger_balance writes it
-- with each posting. `first_tx` and `last_tx` are the lowest and the highest entry of the month. Entries of other months
-- can lie between them, because the clocks of instances differ.
create table ledger_months (
  account_id integer not null references ledger_accounts on delete restrict,
  -- The first day of the month in UTC in which the entries were recorded.
  month date not null,
  amount_cents bigint not null,
  first_tx integer not null,
  last_tx integer not null,
  primary key (account_id, month),
  constraint ledger_months_first_day check (extract(day from month) = 1)
);
insert into ledger_months (account_id, month, amount_cents, first_tx, last_tx)
  select p.account_id, date_trunc('month', t.recorded_at at time zone 'utc')::date, sum(p.amount_cents), min(t.id), max(t.id)
    from ledger_balances b
    join ledger_postings p on p.account_id = b.account_id
    join ledger_tx t on t.id = p.tx_id
    group by 1, 2;

drop index ledger_postings_account;
create index ledger_postings_account on ledger_postings (account_id, tx_id);

-- Finds the entry of a movement at the provider. Earnings by delivery, which are most entries, never move money there.
create index ledger_tx_external_ref on ledger_tx (external_ref) where kind <> 'accrual';

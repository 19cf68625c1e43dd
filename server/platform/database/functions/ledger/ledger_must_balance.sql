-- Each ledger transaction sums to 0 in each currency and book. PostgreSQL checks that when the database transaction
-- ends, because the postings are inserted one after the other.
create or replace function ledger_must_balance() returns trigger language plpgsql as $$
declare
  wrong record;
begin
  select a.currency, a.book, sum(p.amount_cents) as total into wrong
    from ledger_postings p join ledger_accounts a on a.id = p.account_id
    where p.tx_id = new.tx_id
    group by a.currency, a.book
    having sum(p.amount_cents) <> 0
    limit 1;
  if found then
    raise exception 'ledger transaction % is out of balance by % %', new.tx_id, wrong.total, wrong.currency
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;

drop trigger if exists ledger_must_balance on ledger_postings;
create constraint trigger ledger_must_balance after insert on ledger_postings
  deferrable initially deferred for each row execute function ledger_must_balance();

-- These accounts hold what we owe: the deferred money of an ad, and the money payable to publishers and advertisers.
-- None may pay out more than it holds. So the accruals of an ad never exceed the publisher's share, and its accruals
-- and refunds together never exceed its price. A publisher_receivable is the opposite. It holds a publisher's debt to
-- us, which cannot fall below zero, and tax_deferred the tax inside deferred money. PostgreSQL checks all of them when the
-- database transaction ends.
create or replace function ledger_must_not_overdraw() returns trigger language plpgsql as $$
declare
  over record;
begin
  select a.kind, a.owner_id, b.amount_cents, a.currency into over
    from ledger_balances b join ledger_accounts a on a.id = b.account_id
    where b.account_id = new.account_id
      and case when a.kind in ('publisher_receivable', 'tax_deferred') then b.amount_cents < 0 else b.amount_cents > 0 end;
  if found then
    raise exception 'the ledger account % of % is overdrawn by % %', over.kind, over.owner_id,
      to_char(abs(over.amount_cents) / 100.0, 'FM9999999999990.00'), over.currency using errcode = 'check_violation';
  end if;
  return null;
end
$$;

drop trigger if exists ledger_must_not_overdraw on ledger_balances;
create constraint trigger ledger_must_not_overdraw after insert or update on ledger_balances
  deferrable initially deferred for each row execute function ledger_must_not_overdraw();

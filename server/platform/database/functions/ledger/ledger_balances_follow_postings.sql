-- Refuses a direct change of a balance, or of the change of a balance in a month. Only the trigger keep_ledger_balance
-- writes them.
create or replace function ledger_balances_follow_postings() returns trigger language plpgsql as $$
begin
  if tg_op in ('DELETE', 'TRUNCATE') or pg_trigger_depth() < 2 then
    raise exception 'a balance follows the postings of its account' using errcode = 'check_violation';
  end if;
  return null;
end
$$;

create or replace trigger ledger_balances_follow_postings before insert or update or delete or truncate on ledger_balances
  for each statement execute function ledger_balances_follow_postings();

create or replace trigger ledger_months_follow_postings before insert or update or delete or truncate on ledger_months
  for each statement execute function ledger_balances_follow_postings();

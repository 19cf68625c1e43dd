-- A posting belongs to the database transaction that made its entry. Later, nothing can be added to the entry, not even a
-- balanced pair of postings.
create or replace function guard_ledger_posting() returns trigger language plpgsql as $$
begin
  if (select t.xact from ledger_tx t where t.id = new.tx_id) is distinct from pg_current_xact_id() then
    raise exception 'ledger transaction % is closed', new.tx_id using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_ledger_posting before insert on ledger_postings
  for each row execute function guard_ledger_posting();

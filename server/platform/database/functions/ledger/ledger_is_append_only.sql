-- Refuses every change to the ledger. A mistake is corrected by another ledger transaction.
create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'check_violation';
end
$$;

create or replace trigger ledger_postings_append_only before update or delete or truncate on ledger_postings
  for each statement execute function ledger_is_append_only();

create or replace trigger ledger_accounts_append_only before update or delete or truncate on ledger_accounts
  for each statement execute function ledger_is_append_only();

create or replace trigger ledger_tx_append_only before update or delete or truncate on ledger_tx
  for each statement execute function ledger_is_append_only();

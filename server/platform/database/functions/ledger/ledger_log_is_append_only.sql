-- Refuses every change to the log. Leaves, hashes and roots are only added.
create or replace function ledger_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the log of the ledger is append-only' using errcode = 'check_violation';
end
$$;

create or replace trigger ledger_leaves_append_only before update or delete or truncate on ledger_leaves
  for each statement execute function ledger_log_is_append_only();

create or replace trigger ledger_nodes_append_only before update or delete or truncate on ledger_nodes
  for each statement execute function ledger_log_is_append_only();

create or replace trigger ledger_roots_append_only before update or delete or truncate on ledger_roots
  for each statement execute function ledger_log_is_append_only();

create or replace trigger ledger_openings_append_only before update or delete or truncate on ledger_openings
  for each statement execute function ledger_log_is_append_only();

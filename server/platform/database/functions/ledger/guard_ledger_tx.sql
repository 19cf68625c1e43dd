-- Records which database transaction makes an entry of the ledger (server/platform/database/functions/ledger/guard_ledger_posting.sql).
create or replace function guard_ledger_tx() returns trigger language plpgsql as $$
begin
  new.xact := pg_current_xact_id();
  return new;
end
$$;

create or replace trigger guard_ledger_tx before insert on ledger_tx for each row execute function guard_ledger_tx();

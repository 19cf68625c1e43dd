-- Notes each posting for the log (server/money/transparency-log/append.ts).
create or replace function note_posting() returns trigger language plpgsql as $$
begin
  insert into ledger_unlogged (tx_id, account_id) values (new.tx_id, new.account_id);
  return null;
end
$$;

create or replace trigger note_posting after insert on ledger_postings
  for each row execute function note_posting();

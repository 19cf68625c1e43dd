-- Notes that a publisher who earns for the first time takes part in the weekly payouts (server/money/payouts/run.ts).
create or replace function note_payout_turn() returns trigger language plpgsql as $$
begin
  insert into payout_weeks (user_id, book, week)
    select id, new.book, '-infinity' from users where id = new.owner_id
    on conflict do nothing;
  return null;
end
$$;

create or replace trigger note_payout_turn after insert on ledger_accounts
  for each row when (new.kind = 'publisher_payable') execute function note_payout_turn();

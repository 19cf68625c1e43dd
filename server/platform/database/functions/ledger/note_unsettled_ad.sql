-- Notes that a rest of an ad's price may have to be refunded, because its earnings are complete or the money of a lost
-- dispute came back (server/money/refunds/endings.ts).
create or replace function note_unsettled_ad() returns trigger language plpgsql as $$
begin
  insert into unsettled_ads (ad_id) values (new.ad_id) on conflict do nothing;
  return null;
end
$$;

create or replace trigger note_unsettled_ad after update of due_at on ad_earnings
  for each row when (new.due_at is null) execute function note_unsettled_ad();
create or replace trigger note_unsettled_ad after insert on ledger_tx
  for each row when (new.kind = 'dispute_recovered' and new.ad_id is not null) execute function note_unsettled_ad();

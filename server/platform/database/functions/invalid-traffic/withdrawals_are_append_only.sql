-- Refuses every change to an adjustment. A mistake is corrected by another adjustment.
create or replace function withdrawals_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'withdrawals are append-only' using errcode = 'check_violation';
end
$$;

create or replace trigger withdrawals_append_only before update or delete or truncate on withdrawals
  for each statement execute function withdrawals_are_append_only();

create or replace trigger withdrawn_hours_append_only before update or delete or truncate on withdrawn_hours
  for each statement execute function withdrawals_are_append_only();

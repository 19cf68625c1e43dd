-- The days of an ad are free again when it is rejected or has ended, whatever the cause.
create or replace function free_booked_days() returns trigger language plpgsql as $$
begin
  delete from booked_days where ad_id = new.id;
  return null;
end
$$;

create or replace trigger free_booked_days after update of status on ads
  for each row when (new.status <> old.status and new.status in ('rejected', 'completed'))
  execute function free_booked_days();

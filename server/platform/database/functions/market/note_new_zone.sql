-- Notes that a new ad zone has to be measured (server/delivery/forecast/measure-zones.ts).
create or replace function note_new_zone() returns trigger language plpgsql as $$
begin
  insert into unmeasured_zones values (new.id);
  return null;
end
$$;

create or replace trigger note_new_zone after insert on ad_zones
  for each row execute function note_new_zone();

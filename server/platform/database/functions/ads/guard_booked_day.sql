-- Refuses a slot that its zone does not sell on this day, whichever statement takes it.
create or replace function guard_booked_day() returns trigger language plpgsql as $$
begin
  perform lock_calendar(new.zone_id);
  if not exists (
    select from ad_zones z
      where z.id = new.zone_id and new.slot <= z.slots and not new.day = any (z.blocked_days))
  then
    raise exception 'zone % sells no slot % on %', new.zone_id, new.slot, new.day using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_booked_day before insert or update on booked_days
  for each row execute function guard_booked_day();

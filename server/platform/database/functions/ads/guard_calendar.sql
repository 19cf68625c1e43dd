-- Refuses fewer slots than are taken, and a blocked day on which one is taken.
create or replace function guard_calendar() returns trigger language plpgsql as $$
begin
  perform lock_calendar(new.id);
  if exists (
    select from booked_days b
      where b.zone_id = new.id
        and (new.slots is null or b.slot > new.slots or b.day = any (new.blocked_days)))
  then
    raise exception 'zone % has sold more than it would sell', new.id using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_calendar before update of slots, blocked_days on ad_zones
  for each row when ((new.slots, new.blocked_days) is distinct from (old.slots, old.blocked_days))
  execute function guard_calendar();

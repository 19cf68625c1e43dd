-- Locks the calendar of an ad zone until the transaction ends. Whoever takes days, changes the slots or the blocked days,
-- or offers days locks it, so that no two of them decide about the same days.
create or replace function lock_calendar(zone integer) returns void language sql as $$
  select pg_advisory_xact_lock(hashtext('calendar'), zone)
$$;

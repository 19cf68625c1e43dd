-- Drops the partition of a day all of whose events pack_events() has moved, and returns whether it is gone. Events that were
-- added meanwhile keep it. It runs with the rights of the owner, as pack_events() does.
-- Readers and counting wait while it waits for its lock, so it gives up after a tenth of a second, with the error
-- lock_not_available (docs/decisions/121-packed-events.md).
create or replace function drop_packed_partition(day date, today date) returns boolean
language plpgsql security definer set lock_timeout = '100ms' set search_path = public, pg_temp as $$
declare
  partition text := 'ad_events_' || to_char(day, 'YYYYMMDD');
  has_events boolean;
begin
  if day >= first_kept_event_day(today) or to_regclass(partition) is null then
    return false;
  end if;
  -- Only who adds events to this day waits while the empty blocks are read.
  execute format('lock table %I in share row exclusive mode', partition);
  execute format('select exists (select from %I)', partition) into has_events;
  if has_events then
    return false;
  end if;
  execute format('drop table %I', partition);
  return true;
exception
  -- Another server has dropped it meanwhile.
  when undefined_table then
    return true;
end
$$;

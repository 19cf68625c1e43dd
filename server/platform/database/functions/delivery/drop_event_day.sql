-- Drops a day of events, packed or not. Returns whether it is gone. Days are kept to answer questions for `days_kept` days, which
-- is EVENTS_KEPT_DAYS, and never fewer than first_kept_event_day() says.
-- `needs_archive`: ARCHIVE_TO is set, so the day stays until its files have every event that is here, and agree with the
-- counters (docs/decisions/121-packed-events.md).
-- It runs with the rights of the owner. The role of the server cannot drop tables, and no argument makes this function drop
-- one of the last three days (docs/decisions/060-two-database-roles.md).
-- Readers and counting wait while it waits for its lock, so it gives up after a tenth of a second, with the error
-- lock_not_available (docs/decisions/121-packed-events.md).
create or replace function drop_event_day(old_day date, today date, days_kept integer, needs_archive boolean) returns boolean
language plpgsql security definer set lock_timeout = '100ms' set search_path = public, pg_temp as $$
declare
  partition text := 'ad_events_' || to_char(old_day, 'YYYYMMDD');
  archived archived_days;
  events bigint;
begin
  if old_day >= first_kept_event_day(today, days_kept) then
    return false;
  end if;
  -- If another instance of the server does this now, it does all of it.
  if not pg_try_advisory_xact_lock(hashtext('drop_event_day')) then
    return false;
  end if;
  if to_regclass(partition) is null and not exists (select from packed_events p where p.issued_on = old_day) then
    return false;
  end if;
  select * into archived from archived_days a where a.day = old_day for update;
  if needs_archive then
    if archived.day is null or archived.error is not null or archived.differences > 0 then
      return false;
    end if;
    select count(*) into events from kept_events e where e.issued_on = old_day;
    if events <> archived.rows - archived.dropped_rows then
      update archived_days a set error = 'Events were added after the day was archived.' where a.day = old_day;
      return false;
    end if;
    update archived_days a set dropped_rows = a.rows, dropped_parts = a.parts where a.day = old_day;
  end if;
  delete from packed_events p where p.issued_on = old_day;
  if to_regclass(partition) is not null then
    execute format('drop table %I', partition);
  end if;
  return true;
end
$$;

-- For instances of the release before, which know no archive. This release calls drop_event_day().
-- Drops the oldest partition of ad_events if it is outdated, and returns its day, or null if there is none to drop.
-- `days_kept` is the setting EVENTS_KEPT_DAYS, and 35 where the caller is of release 0.1.0.
-- It runs with the rights of the owner. The role of the server cannot drop tables, and no argument makes this function drop
-- one of the last three days (docs/decisions/060-two-database-roles.md).
-- Readers and counting wait while it waits for its lock, so it gives up after a tenth of a second, with the error
-- lock_not_available (docs/decisions/121-packed-events.md).
create or replace function drop_old_event_partition(today date, days_kept integer default 35) returns date language plpgsql security definer
set lock_timeout = '100ms' set search_path = public, pg_temp as $$
declare
  day date;
begin
  -- If another instance of the server does this now, it does all of it.
  if not pg_try_advisory_xact_lock(hashtext('drop_old_event_partition')) then
    return null;
  end if;
  select least(
      (select min(to_date(substr(relname, 11), 'YYYYMMDD'))
        from pg_class
        where relname ~ '^ad_events_\d{8}$' and relkind = 'r' and relnamespace = 'public'::regnamespace),
      (select min(issued_on) from packed_events)) into day;
  if day is null or day >= first_kept_event_day(today, days_kept) then
    return null;
  end if;
  delete from packed_events where issued_on = day;
  execute format('drop table if exists %I', 'ad_events_' || to_char(day, 'YYYYMMDD'));
  return day;
end
$$;

-- Makes the partition of ad_events for a day, if there is none. `create table … partition of` would wait for all readers
-- of ad_events, and counting would wait behind it. Attaching a table conflicts with neither of them
-- (docs/decisions/121-packed-events.md). The new table is empty, so the attachment reads no rows.
-- It runs with the rights of the owner, because the role of the server cannot make tables
-- (docs/decisions/060-two-database-roles.md).
create or replace function ensure_event_partition(day date) returns void language plpgsql security definer
set lock_timeout = '4s' set search_path = public, pg_temp as $$
declare
  partition text := 'ad_events_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(partition) is not null then
    return;
  end if;
  -- Two instances of the server may need the same new partition at the same moment.
  perform pg_advisory_xact_lock(hashtext('ad_events'));
  -- to_regclass may still answer from a cache that does not have the table of the other instance.
  perform from pg_class c join pg_class events using (relnamespace)
    where c.relname = partition and events.oid = 'ad_events'::regclass;
  if found then
    return;
  end if;
  execute format('create table %I (like ad_events including all)', partition);
  execute format('alter table ad_events attach partition %I for values from (%L) to (%L)', partition, day, day + 1);
end
$$;

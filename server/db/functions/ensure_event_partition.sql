-- Makes the partition of ad_events for a day, if there is none.
create or replace function ensure_event_partition(day date) returns void language plpgsql as $$
declare
  partition text := 'ad_events_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(partition) is not null then
    return;
  end if;
  -- Two instances of the server may need the same new partition at the same moment.
  perform pg_advisory_xact_lock(hashtext('ad_events'));
  execute format('create table if not exists %I partition of ad_events for values from (%L) to (%L)',
    partition, day, day + 1);
end
$$;

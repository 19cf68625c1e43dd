-- Makes the partition of delivery_hourly for the month of an hour, if there is none. Rows of this month that lie in
-- delivery_hourly_rest, because the month began without a partition, move to it.
-- The attachment locks delivery_hourly_rest, which normally has no rows. Those who read all months wait while it waits for
-- its lock, so it gives up after a tenth of a second, with the error lock_not_available. The month is made two months ahead.
-- It runs with the rights of the owner, because the role of the server cannot make tables
-- (docs/decisions/060-two-database-roles.md).
create or replace function ensure_hour_month(hour_in_month timestamptz) returns void language plpgsql security definer
set lock_timeout = '100ms' set search_path = public, pg_temp as $$
declare
  month timestamptz := date_trunc('month', hour_in_month, 'utc');
  next_month timestamptz := (month at time zone 'utc' + interval '1 month') at time zone 'utc';
  partition text := 'delivery_hourly_' || to_char(month at time zone 'utc', 'YYYYMM');
begin
  if to_regclass(partition) is not null then
    return;
  end if;
  -- Two instances of the server may need the same new partition at the same moment.
  perform pg_advisory_xact_lock(hashtext('delivery_hourly'));
  -- to_regclass may still answer from a cache that does not have the table of the other instance.
  perform from pg_class c join pg_class hours using (relnamespace)
    where c.relname = partition and hours.oid = 'delivery_hourly'::regclass;
  -- All months before the first one are in delivery_hourly_before.
  if found or month < hours_before() then
    return;
  end if;
  execute format('create table %I (like delivery_hourly including all)', partition);
  lock table delivery_hourly_rest in access exclusive mode;
  execute format('with moved as (
      delete from delivery_hourly_rest where hour >= %L and hour < %L returning *)
    insert into %I select * from moved', month, next_month, partition);
  execute format('alter table delivery_hourly attach partition %I for values from (%L) to (%L)', partition, month, next_month);
end
$$;

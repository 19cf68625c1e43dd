-- expand
-- delivery_hourly lies in months (docs/decisions/120-hours-in-months.md). The table that there is becomes the first partition,
-- as it is. These steps run one by one and may be repeated: the long one reads the table while it is read and written to.

-- In steps
do $$
declare
  until timestamptz;
begin
  if (select relkind from pg_class where oid = 'delivery_hourly'::regclass) = 'r' and not exists (
    select from pg_constraint where conrelid = 'delivery_hourly'::regclass and conname = 'delivery_hourly_until') then
    -- This month and the next one stay in the table, so that no step has to be done in a hurry.
    select date_trunc('month', greatest(now(), max(hour)) + interval '2 months', 'utc') into until from delivery_hourly;
    execute format('alter table delivery_hourly add constraint delivery_hourly_until check (hour < %L) not valid', until);
  end if;
end $$;

do $$
begin
  if (select relkind from pg_class where oid = 'delivery_hourly'::regclass) = 'r' then
    -- A vacuum may be under way. Nobody else waits behind this step.
    set local lock_timeout = 0;
    alter table delivery_hourly validate constraint delivery_hourly_until;
  end if;
end $$;

do $$
declare
  until timestamptz;
  moved record;
  server_role name;
begin
  if (select relkind from pg_class where oid = 'delivery_hourly'::regclass) = 'p' then
    return;
  end if;
  lock table delivery_hourly in access exclusive mode;
  select substring(pg_get_constraintdef(oid) from '''(.*)''')::timestamptz into until
    from pg_constraint where conrelid = 'delivery_hourly'::regclass and conname = 'delivery_hourly_until';
  alter table delivery_hourly rename to delivery_hourly_before;
  alter table delivery_hourly_before rename constraint delivery_hourly_once to delivery_hourly_before_once;
  alter index delivery_hourly_zone rename to delivery_hourly_before_zone;
  alter index delivery_hourly_hour rename to delivery_hourly_before_hour;
  create table delivery_hourly (like delivery_hourly_before including defaults including constraints)
    partition by range (hour);
  alter table delivery_hourly drop constraint delivery_hourly_until;
  alter table delivery_hourly
    add constraint delivery_hourly_once unique nulls not distinct (ad_id, kind, reason, hour, zone_id);
  create index delivery_hourly_zone on delivery_hourly (zone_id, hour);
  create index delivery_hourly_hour on delivery_hourly using brin (hour) with (autosummarize = on);
  -- The constraint saves the attachment from reading the rows, and is not needed afterwards.
  execute format(
    'alter table delivery_hourly attach partition delivery_hourly_before for values from (minvalue) to (%L)', until);
  alter table delivery_hourly_before drop constraint delivery_hourly_until;
  -- For hours whose month has no partition yet, so that no report is ever refused.
  create table delivery_hourly_rest partition of delivery_hourly default;
  -- A trigger for each statement hears only of statements that name its table.
  for moved in
    select tgname as name, pg_get_triggerdef(oid) as made
      from pg_trigger where tgrelid = 'delivery_hourly_before'::regclass and not tgisinternal
  loop
    execute format('drop trigger %I on delivery_hourly_before', moved.name);
    execute replace(moved.made, 'delivery_hourly_before', 'delivery_hourly');
  end loop;
  for server_role in
    select distinct grantee::regrole::name
      from pg_class c, aclexplode(c.relacl) where c.oid = 'delivery_hourly_before'::regclass and grantee <> c.relowner
  loop
    execute format('grant select, insert, update, delete on delivery_hourly to %I', server_role);
    execute format('revoke all on delivery_hourly_before from %I', server_role);
  end loop;
end $$;

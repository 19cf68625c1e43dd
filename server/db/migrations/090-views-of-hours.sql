-- expand
-- The functions need the views of 089-net-hours.sql in the upgrade's transaction, and 074-hours-in-months.sql replaces their
-- table after it. So a new database has views of the first partition alone; these steps make them read all.

-- In steps
do $$
declare
  each text;
begin
  foreach each in array array['judged_hours', 'counted_hours'] loop
    execute format('create or replace view %I as %s', each,
      replace(pg_get_viewdef(each::regclass), 'delivery_hourly_before', 'delivery_hourly'));
  end loop;
end $$;

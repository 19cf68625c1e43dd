-- The end of delivery_hourly_before, the partition of all hours from before the first month with a partition of its own.
create or replace function hours_before() returns timestamptz stable language sql set search_path = public, pg_temp as $$
  select substring(pg_get_expr(relpartbound, oid) from 'TO \(''([^'']+)''\)')::timestamptz
    from pg_class where oid = to_regclass('delivery_hourly_before')
$$;

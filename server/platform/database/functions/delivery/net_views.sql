-- The counted views of an ad, less the withdrawn ones, in the hours that end after `from_time` and until `to_time`.
-- Delivery is stored by the hour, so each hour belongs to the day of the ad in which it ends.
create or replace function net_views(ad integer, from_time timestamptz, to_time timestamptz)
returns bigint language sql stable as $$
  select coalesce(sum(d.n), 0)::bigint from net_hours d
    where d.ad_id = ad and d.kind = 'view'
      and d.hour > from_time - interval '1 hour' and d.hour <= to_time - interval '1 hour'
$$;

-- The counted views of an ad, less the withdrawn ones, in the hours that end after `from_time` and until `to_time`.
-- Delivery is stored by the hour, so each hour belongs to the day of the ad in which it ends.
create or replace function net_views(ad integer, from_time timestamptz, to_time timestamptz)
returns bigint language sql stable as $$
  select coalesce((
      select sum(d.n) from delivery_hourly d
        where d.ad_id = ad and d.kind = 'view' and d.reason = ''
          and d.hour > from_time - interval '1 hour' and d.hour <= to_time - interval '1 hour'), 0)::bigint
    - coalesce((
      select sum(w.n) from withdrawn_hours w
        where w.ad_id = ad and w.kind = 'view'
          and w.hour > from_time - interval '1 hour' and w.hour <= to_time - interval '1 hour'), 0)::bigint
$$;

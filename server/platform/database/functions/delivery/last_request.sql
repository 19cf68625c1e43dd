-- The end of the last hour at or after `since` in which the zone had a valid ad request or view, or null. Delivery is stored by
-- the hour, so an hour that `since` lies in is one of them.
-- Statements that lock or change rows call this function and was_requested(), because they must not read delivery_hourly
-- themselves (docs/decisions/124-read-before-locking.md).
create or replace function last_request(zone integer, since timestamptz) returns timestamptz language sql stable as $$
  select max(h.hour) + interval '1 hour' from counted_hours h
    where h.zone_id = zone and h.hour >= since - interval '1 hour' and h.kind in ('decision', 'view')
$$;

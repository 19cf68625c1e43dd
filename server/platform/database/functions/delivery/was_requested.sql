-- Whether the zone had a valid ad request or view between two times. Delivery is stored by the hour. An hour that only overlaps
-- the time counts as part of it.
create or replace function was_requested(zone integer, from_time timestamptz, to_time timestamptz)
returns boolean language sql stable as $$
  select exists (
    select from counted_hours h
      where h.zone_id = zone and h.hour > from_time - interval '1 hour' and h.hour < to_time
        and h.kind in ('decision', 'view'))
$$;

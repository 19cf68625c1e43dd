-- Whether an ad zone can still be booked on a day, as far as its other ads matter. A zone without slots has no limit.
create or replace function is_zone_open_on(z ad_zones, day date) returns boolean language sql stable as $$
  select true
$$;

-- Whether an ad zone can still be booked on a day, as far as its calendar matters. A zone without slots has no limit, but its
-- publisher may have blocked the day.
create or replace function is_zone_open_on(z ad_zones, day date) returns boolean language sql stable as $$
  select z.slots is null and z.blocked_days = '{}'
    -- Days that are offered to somebody are closed to visitors until the job ends the offer.
    or not exists (select from closed_days(z.id, is_zone_open_on.day, is_zone_open_on.day + 1, '-infinity'))
$$;

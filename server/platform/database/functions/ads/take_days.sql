-- Takes a free slot for an ad on each of the days from `first` on and before `until`, apart from blocked ones, into which
-- only an ad that runs longer comes. Fails if a day has none.
create or replace function take_days(ad integer, zone integer, first date, until date, at timestamptz)
returns void language plpgsql as $$
begin
  perform lock_calendar(zone);
  insert into booked_days (zone_id, day, slot, ad_id, taken_at)
    select zone, d::date, (
        select min(s.slot)
          from ad_zones z cross join generate_series(1, z.slots) as s (slot)
          where z.id = zone
            and not exists (
              select from booked_days b where b.zone_id = zone and b.day = d::date and b.slot = s.slot)),
        ad, at
      from generate_series(first, until - 1, interval '1 day') as d
      where not exists (select from ad_zones z where z.id = zone and d::date = any (z.blocked_days));
end
$$;

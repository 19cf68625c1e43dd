-- Lets the booked days of running ads follow their ends, which pauses and silent days move. A day on which the ad runs
-- longer takes a slot if one is free. If none is, the ad runs on beside the others and has no slot on that day, because
-- its advertiser gets all days that were bought (docs/decisions/069-booked-days.md). The zones are locked in the order of
-- their ids, so that two transactions cannot deadlock.
create or replace function follow_end_dates(ad_ids integer[], at timestamptz) returns void language plpgsql as $$
declare
  moved record;
  missing date;
begin
  for moved in
    select a.id, a.ad_zone_id as zone, ((a.end_date - interval '1 millisecond') at time zone 'utc')::date as last_day,
        max(b.day) as last_booked
      from ads a join booked_days b on b.ad_id = a.id
      where a.id = any (ad_ids) and a.status = 'active' and a.end_date is not null
      group by a.id
      order by a.ad_zone_id, a.id
  loop
    continue when moved.last_day = moved.last_booked;
    perform lock_calendar(moved.zone);
    -- Until then, another transaction may have taken the limit from the zone, and with it all days.
    continue when not exists (select from ad_zones z where z.id = moved.zone and z.slots is not null);
    delete from booked_days where ad_id = moved.id and day > moved.last_day;
    for missing in
      select d::date
        from generate_series(
          greatest(moved.last_booked + 1, (at at time zone 'utc')::date), moved.last_day, interval '1 day') as d
        where d::date not in (
          select c.day from closed_days(moved.zone, moved.last_booked, moved.last_day + 1, at) c)
    loop
      perform take_days(moved.id, moved.zone, missing, missing + 1, at);
    end loop;
  end loop;
end
$$;

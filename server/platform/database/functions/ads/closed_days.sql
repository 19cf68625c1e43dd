-- The days from `since` on and before `until` on which no further ad by the day fits into a zone, with the reason: blocked
-- by the publisher, no slot left, or offered to somebody on the waiting list at `at`. The days that `person` was offered
-- and those of the ad `except_ad` are not closed to them. Each day has one row.
create or replace function closed_days(
  zone integer, since date, until date, at timestamptz, person integer default null, except_ad integer default null)
returns table (day date, reason text) language sql stable as $$
  select distinct on (c.day) c.day, c.reason
    from (
      select b.day, 'day_blocked' as reason, 1 as weight
        from ad_zones z cross join unnest(z.blocked_days) as b (day)
        where z.id = zone and b.day >= since and b.day < until
      union all
      select b.day, 'day_full', 2
        from booked_days b join ad_zones z on z.id = b.zone_id
        where b.zone_id = zone and b.day >= since and b.day < until and b.ad_id is distinct from except_ad
        group by b.day, z.slots
        having count(*) >= z.slots
      union all
      select d::date, 'day_offered', 3
        from waiting_list w
        cross join generate_series(greatest(w.start_day, since), least(w.end_day, until) - 1, interval '1 day') as d
        where w.zone_id = zone and w.state = 'offered' and w.offered_until > at and w.user_id is distinct from person
    ) as c
    order by c.day, c.weight
$$;

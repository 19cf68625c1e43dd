-- Returns the ceiling of a publisher's billable events on a UTC day: views of ads paid per impression, and clicks of ads
-- paid per click. docs/measurement.md explains the numbers. [SIVT-07, SIVT-08]
--
-- A publisher begins with the visits that they declare, at least 100 and at most 1,000 views a day. Once three days are
-- measured, twice the measured ad requests are the limit, if that is less. So neither an exaggerated declaration nor a
-- first burst raises it. Two clicks are allowed for 100 views, which is six times a usual rate.
--
-- Beyond that, the ceiling grows with history: within seven days, twice as much may be billed as in the best seven days
-- that ended at least a week ago. History is what was counted, not withdrawn and paid for, and of clicks whose landing was
-- measured, those that landed. No age ends the ceiling.
create or replace function daily_ceiling(publisher integer, today date, out max_views integer, out max_clicks integer)
language plpgsql stable as $$
declare
  declared integer;
  measured_days integer;
  measured numeric;
  best_views bigint;
  best_clicks bigint;
  recent_views bigint;
  recent_clicks bigint;
begin
  select coalesce(sum(monthly_visitors), 0) / 30 into declared from websites
    where user_id = publisher and archived_at is null;
  max_views := greatest(100, least(1000, declared));
  select count(*), avg(n) into measured_days, measured
    from (
      select sum(d.n) as n
        from websites s
        join ad_zones z on z.website_id = s.id
        join counted_hours d on d.zone_id = z.id
        where s.user_id = publisher and d.kind = 'decision'
          and d.hour >= (today - 7)::timestamp at time zone 'utc' and d.hour < today::timestamp at time zone 'utc'
        group by (d.hour at time zone 'utc')::date) as of_day;
  if measured_days >= 3 then
    max_views := greatest(100, least(max_views, ceil(2 * measured)));
  end if;
  max_clicks := greatest(5, max_views / 50);

  with paid as (
    select p.date, sum(p.impressions) filter (where a.pricing_model = 'per_impression') as views,
        sum(case when a.measures_landings then least(p.clicks, coalesce(l.landings, 0)) else p.clicks end)
          filter (where a.pricing_model = 'per_click') as clicks
      from websites s
      join ad_zones z on z.website_id = s.id
      join ads a on a.ad_zone_id = z.id and a.pricing_model <> 'per_day'
      join ad_performance p on p.ad_id = a.id and p.date > today - 70 and p.date < today
      left join lateral (
        select sum(h.landings) as landings from landing_hours h
          where h.ad_id = a.id and h.hour >= p.date::timestamp at time zone 'utc'
            and h.hour < (p.date + 1)::timestamp at time zone 'utc'
          offset 0) as l on true
      where s.user_id = publisher
        and exists (select from payments y where y.ad_id = a.id and y.status = 'succeeded')
      group by p.date
  ), weeks as (
    select e.day, sum(p.views) as views, sum(p.clicks) as clicks
      from (select date as day from paid where date <= today - 7) as e
      join paid p on p.date > e.day - 7 and p.date <= e.day
      group by e.day
  )
  select coalesce(max(w.views), 0), coalesce(max(w.clicks), 0) into best_views, best_clicks from weeks w;
  select coalesce(sum(d.views), 0), coalesce(sum(d.clicks), 0) into recent_views, recent_clicks
    from publisher_days d where d.user_id = publisher and d.date > today - 7 and d.date < today;
  max_views := greatest(max_views, 2 * best_views - recent_views);
  max_clicks := greatest(max_clicks, 2 * best_clicks - recent_clicks);
end
$$;

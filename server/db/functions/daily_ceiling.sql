-- Returns the ceiling of a publisher's billable events on a UTC day: views of ads paid per impression, and clicks of ads
-- paid per click. Null means no ceiling. docs/measurement.md explains the numbers. [SIVT-07, SIVT-08]
--
-- A new publisher begins with the visits that they declare, at least 100 and at most 1,000 views a day. Once three days
-- are measured, twice the measured ad requests are the limit, if that is less. So neither an exaggerated declaration
-- nor a first burst raises it. Then it grows with history, to twice the best day that is at least a week old and after
-- the last withdrawal. With 28 such days there is no ceiling any more. Two clicks are allowed for 100 views, which is
-- six times a usual rate.
create or replace function daily_ceiling(publisher integer, today date, out max_views integer, out max_clicks integer)
language plpgsql stable as $$
declare
  declared integer;
  measured_days integer;
  measured numeric;
  clean_since date;
  days integer;
  best_views integer;
  best_clicks integer;
begin
  select max((w.made_at at time zone 'utc')::date) into clean_since
    from websites s join ad_zones z on z.website_id = s.id join withdrawals w on w.zone_id = z.id
    where s.user_id = publisher and w.overrules is null
      and not exists (select from withdrawals o where o.overrules = w.id);
  select count(*) filter (where d.views + d.clicks > 0), coalesce(max(d.views), 0), coalesce(max(d.clicks), 0)
    into days, best_views, best_clicks
    from publisher_days d
    where d.user_id = publisher and d.date <= today - 7 and d.date > today - 70
      and (clean_since is null or d.date > clean_since);
  if days >= 28 then
    return;
  end if;

  select coalesce(sum(monthly_visitors), 0) / 30 into declared from websites
    where user_id = publisher and archived_at is null;
  max_views := greatest(100, least(1000, declared));
  select count(*), avg(n) into measured_days, measured
    from (
      select sum(d.n) as n
        from websites s
        join ad_zones z on z.website_id = s.id
        join delivery_hourly d on d.zone_id = z.id
        where s.user_id = publisher and d.kind = 'decision' and d.reason = ''
          and d.hour >= (today - 7)::timestamp at time zone 'utc' and d.hour < today::timestamp at time zone 'utc'
        group by (d.hour at time zone 'utc')::date) as of_day;
  if measured_days >= 3 then
    max_views := greatest(100, least(max_views, ceil(2 * measured)));
  end if;
  max_clicks := greatest(5, max_views / 50, 2 * best_clicks);
  max_views := greatest(max_views, 2 * best_views);
end
$$;

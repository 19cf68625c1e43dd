-- Takes the figures of an ad, or of an ad zone's decisions without an ad (`ad` is null), that a cell has counted in
-- `given_hours`. They are all figures of these hours and not what was added, so taking them again changes nothing. Returns
-- why they are refused, as a sentence, or null. The caller has locked the ads, in the order of their ids.
--
-- The cell decides by the goal of the ad, as count_events does. What it counted for an ad that has ended here meanwhile, such
-- as by a cancel whose refund is on its way, was not bought: cell_surplus keeps it, and delivery_hourly has it as filtered.
create or replace function take_cell_figures(
  cell integer, zone integer, ad integer, given_hours timestamptz[],
  hours timestamptz[], kinds text[], reasons text[], ns bigint[], ended timestamptz, taken_at timestamptz)
returns text language plpgsql as $$
declare
  sold ads;
  bought_until timestamptz := 'infinity';
  more_views bigint;
  more_clicks bigint;
begin
  if not exists (
    select from ad_zones z join websites w on w.id = z.website_id join users u on u.id = w.user_id
      where z.id = zone and u.cell_id = cell)
  then
    return 'The ad zone is not one of the publishers of this cell.';
  end if;
  if exists (select from unnest(given_hours) as g (hour) where g.hour < taken_at - interval '31 days') then
    return 'The hours are more than 31 days old.';
  end if;
  if exists (select from unnest(given_hours) as g (hour) where g.hour > taken_at + interval '1 hour') then
    return 'The hours are yet to come. Check the clock of the cell.';
  end if;
  if exists (select from unnest(hours) as t (hour) where t.hour <> all (given_hours)) then
    return 'The figures are not of the hours that they name.';
  end if;
  -- A cell with a fault or a stolen key must not bill more than people can see, or overflow a sum.
  if exists (
    select from unnest(kinds, ns) as t (kind, n)
      where t.n > case when t.kind in ('view', 'click') then 100000 else 10000000 end)
  then
    return 'An hour has more events than one ad can have.';
  end if;
  if ad is not null then
    select * into sold from ads where id = ad and ad_zone_id = zone and status in ('active', 'completed');
    if not found then
      return 'The ad does not run in this ad zone.';
    end if;
    if exists (
      select from unnest(hours, kinds, reasons, ns) as t (hour, kind, reason, n)
        where t.kind in ('view', 'click') and t.reason = '' and t.n > 0 and t.hour + interval '1 hour' <= sold.start_date)
    then
      return 'The hours are before the ad began.';
    end if;
    bought_until := case
      when sold.pricing_model = 'per_day' then sold.end_date
      when sold.status = 'active' then 'infinity'
      else '-infinity' end;

    if exists (
      select from (
        select d.hour, d.kind, d.n from delivery_hourly d
          where d.zone_id = zone and d.hour = any (given_hours) and d.ad_id = ad and d.reason = '' and d.kind in ('view', 'click')
        union all
        select s.hour, s.kind, s.n from cell_surplus s
          where s.ad_id = ad and s.zone_id = zone and s.hour = any (given_hours)) as known
        left join unnest(hours, kinds, reasons, ns) as t (hour, kind, reason, n)
          on t.hour = known.hour and t.kind = known.kind and t.reason = ''
        group by known.hour, known.kind
        having sum(known.n) > coalesce(max(t.n), 0))
    then
      return 'Fewer events are counted than before. Restore a newer backup of the cell.';
    end if;

    insert into cell_surplus as s (ad_id, kind, reason, hour, zone_id, n)
      select ad, t.kind,
          case when sold.pricing_model <> 'per_day' and sold.ended_reason = 'delivered' then 'over_goal' else 'not_live' end,
          t.hour, zone, t.n - known.n
        from unnest(hours, kinds, reasons, ns) as t (hour, kind, reason, n)
        cross join lateral (
          select coalesce((
              select d.n from delivery_hourly d
                where d.ad_id = ad and d.kind = t.kind and d.reason = '' and d.hour = t.hour and d.zone_id = zone), 0)
            + coalesce((
              select sum(e.n) from cell_surplus e
                where e.ad_id = ad and e.kind = t.kind and e.hour = t.hour and e.zone_id = zone), 0) as n) as known
        where t.reason = '' and t.kind in ('view', 'click') and t.hour >= bought_until and t.n > known.n
      on conflict (ad_id, kind, reason, hour, zone_id) do update set n = s.n + excluded.n;

    with added as (
      select coalesce(sum(g.n) filter (where g.kind = 'view'), 0) as views,
          coalesce(sum(g.n) filter (where g.kind = 'click'), 0) as clicks, (g.hour at time zone 'utc')::date as date
        from (
          select t.hour, t.kind, t.n from unnest(hours, kinds, reasons, ns) as t (hour, kind, reason, n) where t.reason = ''
          union all
          select s.hour, s.kind, -s.n from cell_surplus s
            where s.ad_id = ad and s.zone_id = zone and s.hour = any (given_hours)
          union all
          select d.hour, d.kind, -d.n from delivery_hourly d
            where d.zone_id = zone and d.hour = any (given_hours) and d.ad_id = ad and d.reason = '') as g
        where g.kind in ('view', 'click')
        group by date
    ), by_day as (
      insert into ad_performance as p (ad_id, date, impressions, clicks)
        select ad, x.date, x.views, x.clicks from added x where x.views + x.clicks > 0
        on conflict (ad_id, date) do update
          set impressions = p.impressions + excluded.impressions, clicks = p.clicks + excluded.clicks
    )
    select sum(x.views), sum(x.clicks) into more_views, more_clicks from added x;

    if sold.total_impressions + more_views > sold.impressions or sold.total_clicks + more_clicks > sold.clicks then
      raise exception 'More is counted than was bought.' using errcode = 'check_violation';
    end if;
    if more_views + more_clicks > 0 then
      update ads set total_impressions = total_impressions + more_views, total_clicks = total_clicks + more_clicks where id = ad;
    end if;
    if sold.status = 'active'
      and (sold.total_impressions + more_views >= sold.impressions or sold.total_clicks + more_clicks >= sold.clicks)
    then
      update ads
        set status = 'completed', end_date = least(taken_at, greatest(start_date, coalesce(ended, taken_at))),
          updated_at = taken_at
        where id = ad;
      perform graphile_worker.add_job('tell-completed', json_build_object('adId', ad));
    end if;
  end if;

  with extra as (
    select s.hour, s.kind, s.reason, s.n from cell_surplus s
      where s.ad_id = ad and s.zone_id = zone and s.hour = any (given_hours)
  ), target as (
    select g.hour, g.kind, g.reason, sum(g.n) as n
      from (
        select t.hour, t.kind, t.reason, t.n from unnest(hours, kinds, reasons, ns) as t (hour, kind, reason, n)
        union all
        select e.hour, e.kind, e.reason, e.n from extra e
        union all
        select e.hour, e.kind, '', -e.n from extra e) as g
      group by g.hour, g.kind, g.reason
  ), removed as (
    delete from delivery_hourly d
      where d.zone_id = zone and d.hour = any (given_hours) and d.ad_id is not distinct from ad
        and not exists (
          select from target t where t.hour = d.hour and t.kind = d.kind and t.reason = d.reason and t.n > 0)
  )
  insert into delivery_hourly as d (hour, ad_id, zone_id, kind, reason, n)
    select t.hour, ad, zone, t.kind, t.reason, t.n from target t
      where t.n > 0
      -- The same order as in count_events, so that the two cannot deadlock.
      order by t.kind, t.reason, t.hour
    on conflict (ad_id, kind, reason, hour, zone_id) do update set n = excluded.n where d.n <> excluded.n;
  return null;
exception
  when check_violation then return sqlerrm;
  when numeric_value_out_of_range then return 'The figures are too large.';
end
$$;

-- Applies an adjustment to the counters of its ads, in the transaction that inserted its rows. An ad that had reached
-- its goal runs on for the withdrawn events, unless its zone is gone. An ad that ended for another reason does not run
-- on, because its undelivered part was refunded. The job corrects the earnings of the ads at its next run. If a counter
-- would go below zero, a constraint refuses the whole adjustment.
--
-- A day of a per-day ad that no longer has its views becomes silent, and one that has them again is delivered. The end
-- of a running ad moves by that day. An ad that has ended does not run on: its earnings change, and the price of the day
-- is refunded. A day that an early end cut short is judged by the views of its 24 hours, as recordLastDay
-- (server/ads/clock/clock-store.ts) did. If the days of an ad are judged by ad requests (min_day_views is null), its end
-- moves by one hour for each withdrawn hour instead.
create or replace function adjust_counters(adjustment integer, at timestamptz) returns void language plpgsql as $$
declare
  zone integer;
  turned_ads integer[];
  turned_by interval[];
begin
  with sums as (
    select ad_id, coalesce(sum(n) filter (where kind = 'view'), 0)::integer as views,
        coalesce(sum(n) filter (where kind = 'click'), 0)::integer as clicks,
        sign(sum(n)) * count(distinct hour) as hours
      from withdrawn_hours where withdrawal_id = adjustment
      group by ad_id
  ), counted as (
    select a.id, s.hours, a.total_impressions - s.views as views, a.total_clicks - s.clicks as clicks,
        case a.pricing_model
          when 'per_impression' then a.total_impressions - s.views >= a.impressions
          when 'per_click' then a.total_clicks - s.clicks >= a.clicks
        end as reached,
        coalesce(a.ended_reason = 'delivered', false) and z.deleted_at is null as may_run
      from sums s join ads a on a.id = s.ad_id join ad_zones z on z.id = a.ad_zone_id
  )
  update ads a
    set total_impressions = c.views, total_clicks = c.clicks, updated_at = at,
      status = case
        when a.status = 'active' and c.reached then 'completed'
        when a.status = 'completed' and not c.reached and c.may_run then 'active'
        else a.status end,
      end_date = case
        when a.pricing_model = 'per_day' and a.min_day_views is null and a.status = 'active'
          then greatest(a.end_date + c.hours * interval '1 hour', least(a.end_date, at))
        when a.status = 'active' and c.reached then at
        when a.status = 'completed' and not c.reached and c.may_run then null
        else a.end_date end
    from counted c
    where a.id = c.id;

  -- Nothing says of which creative the withdrawn events were, so each of an ad's two loses the same part.
  update creative_counts c
    set n = round(c.n * case c.kind
        when 'view' then a.total_impressions::numeric / (a.total_impressions + s.views)
        else a.total_clicks::numeric / (a.total_clicks + s.clicks) end)
    from (
      select ad_id, coalesce(sum(n) filter (where kind = 'view'), 0) as views,
          coalesce(sum(n) filter (where kind = 'click'), 0) as clicks
        from withdrawn_hours where withdrawal_id = adjustment
        group by ad_id) as s
    join ads a on a.id = s.ad_id
    where c.ad_id = s.ad_id and (
      (c.kind = 'view' and a.total_impressions + s.views > 0) or (c.kind = 'click' and a.total_clicks + s.clicks > 0));

  with touched as (
    select y.ad_id, y.began_at, is_day_silent(y.ad_id, a.ad_zone_id, y.min_views, y.counts_from, y.began_at + interval '24 hours') as is_silent
      from ad_days y join ads a on a.id = y.ad_id
      where exists (
        select from withdrawn_hours w
          where w.withdrawal_id = adjustment and w.ad_id = y.ad_id and w.kind = 'view'
            and w.hour > y.counts_from - interval '1 hour' and w.hour <= y.began_at + interval '23 hours')
  ), turned as (
    update ad_days y set is_silent = t.is_silent
      from touched t
      where y.ad_id = t.ad_id and y.began_at = t.began_at and y.is_silent <> t.is_silent
      returning y.ad_id, case when y.is_silent then y.ended_at - y.began_at else y.began_at - y.ended_at end as by
  )
  select array_agg(s.ad_id), array_agg(s.by) into turned_ads, turned_by
    from (select ad_id, sum(by) as by from turned group by ad_id) as s;

  if turned_ads is not null then
    update ads a
      set end_date = greatest(a.end_date + t.by, least(a.end_date, at)), silent_days = t.in_a_row, updated_at = at,
        silence_told_at = case when t.in_a_row >= 2 then a.silence_told_at end
      from (
        select g.ad_id, g.by, (
            select count(*) from ad_days y
              where y.ad_id = g.ad_id and y.began_at > coalesce((
                select max(d.began_at) from ad_days d where d.ad_id = g.ad_id and not d.is_silent), '-infinity')
          ) as in_a_row
          from unnest(turned_ads, turned_by) as g (ad_id, by)) as t
      where a.id = t.ad_id and a.status = 'active';
    perform follow_end_dates(turned_ads, at);
    update ad_earnings e
      set settled_units = least(e.bought, greatest(0,
        coalesce(e.settled_units, case a.ended_reason when 'delivered' then e.bought else e.units end)
          - trunc(extract(epoch from t.by))::bigint))
      from unnest(turned_ads, turned_by) as t (ad_id, by) join ads a on a.id = t.ad_id
      where e.ad_id = t.ad_id and a.status = 'completed';
  end if;

  update ad_archive set ended_at = null
    where ad_id in (
      select a.id from withdrawn_hours h join ads a on a.id = h.ad_id
        where h.withdrawal_id = adjustment and a.status = 'active');

  update ad_performance p
    set impressions = p.impressions - d.views, clicks = p.clicks - d.clicks
    from (
      select ad_id, (hour at time zone 'utc')::date as date,
          coalesce(sum(n) filter (where kind = 'view'), 0) as views,
          coalesce(sum(n) filter (where kind = 'click'), 0) as clicks
        from withdrawn_hours where withdrawal_id = adjustment
        group by 1, 2) as d
    where p.ad_id = d.ad_id and p.date = d.date;

  -- Withdrawn events leave room below the ceiling of their day again, so that an attack does not use it up.
  update publisher_days p
    set views = greatest(0, least(p.max_views, p.views - d.views)),
        clicks = greatest(0, least(p.max_clicks, p.clicks - d.clicks))
    from (
      select w.user_id, (h.hour at time zone 'utc')::date as date,
          coalesce(sum(h.n) filter (where h.kind = 'view' and a.pricing_model = 'per_impression'), 0) as views,
          coalesce(sum(h.n) filter (where h.kind = 'click' and a.pricing_model = 'per_click'), 0) as clicks
        from withdrawn_hours h
        join ads a on a.id = h.ad_id
        join ad_zones z on z.id = a.ad_zone_id
        join websites w on w.id = z.website_id
        where h.withdrawal_id = adjustment
        group by 1, 2) as d
    where p.user_id = d.user_id and p.date = d.date;

  -- Only the job posts to the ledger (server/money/ledger/accrue.ts).
  update ad_earnings e set due_at = '-infinity'
    where e.ad_id in (select ad_id from withdrawn_hours where withdrawal_id = adjustment);

  select zone_id into zone from withdrawals where id = adjustment;
  perform note_delivery_change(zone);
end
$$;

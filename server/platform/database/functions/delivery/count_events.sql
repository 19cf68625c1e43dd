-- docs/count-events.md follows a batch through this function, by an example.
--
-- Counts a batch of events, given as parallel arrays, and returns the ads whose counters changed. Beside it, only
-- adjust_counters.sql (withdrawn traffic) writes an ad's counters. It counts each event once, only for an ad that was
-- active, and never beyond the ad's goal. It completes an ad that reaches its goal and queues the notice. If events of the batch were recorded before, a last row without an ad says how many: views as
-- total_impressions, and clicks as total_clicks.
--
-- `counting_at` is when the server received the events. The event log may deliver them much later, when a job has
-- already completed a per-day ad. The events that were received before its end still count, on the day and in the hour
-- when they were received.
--
-- `implied` marks the view that a click implies. If that view was reported before, the implied one is not a duplicate.
--
-- A click with the reason 'not_rendered' counts only with a proof: a report of the same decision that its ad was rendered
-- or viewed. The report may have arrived before, be in the same batch, or follow within a minute, because a page reports
-- a rendered ad at the moment when the click makes it leave. In the last case, the click waits in ad_events with that
-- reason and is counted when its report arrives. A video player may not report anything, so the first clicks of a video
-- in a UTC day count without a proof (MAX_UNREPORTED_CLICKS_PER_DAY in domain/delivery/judge.ts). A click that counts is
-- a view, too, unless its view was reported.
--
-- `creatives` names the creative of each event while an ad shows two of them, and is 0 otherwise. The sample data leaves it
-- out. Only creative_counts depends on it, never money (docs/decisions/071-review-clock.md).
--
-- `with_ceilings`: ads of a new publisher are billed for no more than daily_ceiling() on a day. Events beyond it get
-- the reason 'ceiling'. The row of the publisher's day is locked, so the ceiling holds over all instances.
--
-- Several instances of the server count the same ads at once. Each of them first locks all ads of its batch, in the
-- order of their ids, so they cannot deadlock. After that no other instance counts these events, because an event
-- belongs to one ad.
create or replace function count_events(
  counting_at timestamptz,
  issued_ms float8[], decision_ids bytea[], kinds text[], ad_ids integer[], zone_ids integer[], reasons text[],
  implied boolean[], with_ceilings boolean default false, creatives smallint[] default '{}')
returns table (ad_id integer, total_impressions integer, total_clicks integer, completed boolean)
language plpgsql
-- The batch is small and the tables are large, so a lookup by key is best, whatever the statistics say.
set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  today date := (counting_at at time zone 'utc')::date;
  this_hour timestamptz := date_trunc('hour', counting_at, 'utc');
  -- A report with one of these reasons came from a real page, so it proves that the ad was rendered. The reasons that it
  -- lacks are findings about the request, such as 'bot' and 'too_fast'.
  proving constant text[] := array[
    'frequency', 'activity', 'network_cap', 'browser_cap', 'ad_cap', 'publisher_cap', 'not_live', 'over_goal', 'ceiling'];
  max_unreported_clicks constant integer := 10;
  -- The decisions of this batch with a report that proves a click, and with a view. They are filled only if there is a
  -- click to prove, because a window over all events would cost every batch a twentieth of its time.
  reported_now bytea[] := '{}';
  viewed_now bytea[] := '{}';
  known_repeated boolean[];
  known_rendered boolean[];
  known_viewed boolean[];
  known_reported boolean[];
  known_waiting_since timestamptz[];
  moved_hours timestamptz[];
  moved_ads integer[];
  moved_zones integer[];
  repeated_views integer := 0;
  repeated_clicks integer := 0;
begin
  if 'not_rendered' = any (reasons) then
    select coalesce(array_agg(g.id) filter (where g.kind <> 'click' and (g.reason is null or g.reason = any (proving))), '{}'),
        coalesce(array_agg(g.id) filter (where g.kind = 'view'), '{}')
      into reported_now, viewed_now
      from unnest(decision_ids, kinds, reasons) as g (id, kind, reason);
  end if;
  perform 1 from ads a where a.id = any (ad_ids) order by a.id for no key update;

  if with_ceilings then
    insert into publisher_days (user_id, date, max_views, max_clicks)
      select p.user_id, today, c.max_views, c.max_clicks
        from (
          select distinct w.user_id
            from ads a join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id
            where a.id = any (ad_ids)) as p
        cross join lateral daily_ceiling(p.user_id, today) as c
        where not exists (select from publisher_days d where d.user_id = p.user_id and d.date = today)
        order by p.user_id
      on conflict do nothing;
    -- All instances lock ads first and then publishers, each in the order of their ids, so they cannot deadlock.
    perform 1 from publisher_days d
      where d.date = today and d.user_id in (
        select w.user_id
          from ads a join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id
          where a.id = any (ad_ids))
      order by d.user_id for no key update;
  end if;

  -- Which reports of each decision are recorded already. The next statement changes rows, so it must not read a partitioned
  -- table (docs/decisions/124-read-before-locking.md).
  select array_agg(k.repeated), array_agg(k.rendered), array_agg(k.viewed), array_agg(k.reported), array_agg(k.waiting_since)
    into known_repeated, known_rendered, known_viewed, known_reported, known_waiting_since
    from (
      select known.*
        from unnest(issued_ms, decision_ids, kinds) with ordinality as g (issued_ms, decision_id, kind, place)
        cross join lateral (
          select coalesce(bool_or(e.kind = g.kind or (e.kind = 'view' and g.kind = 'rendered')), false) as repeated,
              bool_or(e.kind = 'rendered') as rendered,
              coalesce(bool_or(e.kind = 'view'), false) as viewed,
              coalesce(bool_or(e.kind <> 'click' and (e.reason is null or e.reason = any (proving))), false) as reported,
              max(e.counted_at) filter (where e.kind = 'click' and e.reason = 'not_rendered') as waiting_since
            from ad_events e
            where e.issued_on = (to_timestamp(g.issued_ms / 1000) at time zone 'utc')::date
              and e.decision_id = g.decision_id) as known
        order by g.place) as k;

  for ad_id, total_impressions, total_clicks, completed, moved_hours, moved_ads, moved_zones,
      repeated_views, repeated_clicks in
  with given as (
    select g.*, to_timestamp(g.issued_ms / 1000) as issued_at,
        (to_timestamp(g.issued_ms / 1000) at time zone 'utc')::date as issued_on
      from unnest(issued_ms, decision_ids, kinds, ad_ids, zone_ids, reasons, implied, creatives,
          known_repeated, known_rendered, known_viewed, known_reported, known_waiting_since) with ordinality
        as g (issued_ms, decision_id, kind, ad_id, zone_id, reason, implied, creative,
          known, rendered, viewed, reported, waiting_since, place)
  ), compared as (
    select g.*,
        g.known
          -- A view implies 'rendered', so a report of 'rendered' after it, or a second one, adds nothing.
          or row_number() over (partition by g.decision_id, g.kind = 'click' order by g.kind desc, g.implied, g.place) > 1
          as repeated
      from given g
  ), claimed as (
    select c.issued_on, c.decision_id, c.ad_id, c.zone_id, c.issued_at, c.place, c.creative,
        c.viewed or c.decision_id = any (viewed_now) as viewed,
        c.reported or c.decision_id = any (reported_now) as reported
      from compared c
      where c.kind = 'click' and c.reason = 'not_rendered' and not c.repeated
  ), clicks as (
    select c.*, null::timestamptz as waiting_since,
        case
          when c.reported then null
          when (select a.ad_type from ads a where a.id = c.ad_id) = 'video'
            and coalesce((select u.n from ad_unreported_clicks u where u.ad_id = c.ad_id and u.date = today), 0)
              + row_number() over (partition by c.ad_id, c.reported order by c.place)
              <= max_unreported_clicks then null
          else 'not_rendered'
        end as reason
      from claimed c
    union all
    -- The clicks that waited for a report of this batch.
    (select distinct on (c.decision_id) c.issued_on, c.decision_id, c.ad_id, c.zone_id, c.issued_at, c.place, c.creative,
        c.viewed or c.kind = 'view', true, c.waiting_since, null
      from compared c
      where c.waiting_since >= counting_at - interval '1 minute' and c.kind <> 'click' and not c.repeated
        and (c.reason is null or c.reason = any (proving))
      order by c.decision_id, c.place)
  ), settled as (
    select c.issued_on, c.decision_id, c.kind, c.ad_id, c.zone_id, c.issued_at, c.place, c.creative, c.reason
      from compared c
      where not c.repeated and (c.kind <> 'click' or c.reason is distinct from 'not_rendered')
    union all
    select issued_on, decision_id, 'click', ad_id, zone_id, issued_at, place, creative, reason from clicks
    union all
    select issued_on, decision_id, 'view', ad_id, zone_id, issued_at, place, creative, null from clicks
      where reason is null and not viewed
  ), within_goal as (
    select c.place, c.issued_on, c.decision_id, c.kind, c.ad_id, c.zone_id, c.issued_at, c.creative,
        case
          when c.reason is not null then c.reason
          when a.status = 'completed' and a.pricing_model <> 'per_day'
            then case a.ended_reason when 'delivered' then 'over_goal' else 'not_live' end
          -- Here, only a per-day ad can be 'completed'. Its events count if they were received before its end.
          when a.status is null or a.status not in ('active', 'completed') or a.end_date <= counting_at then 'not_live'
          when row_number() over (partition by c.ad_id, c.kind, c.reason is null order by c.place) >
            case
              when c.kind = 'view' and a.pricing_model = 'per_impression' then a.impressions - a.total_impressions
              when c.kind = 'click' and a.pricing_model = 'per_click' then a.clicks - a.total_clicks
            end then 'over_goal'
        end as reason
      from settled c
      left join ads a on a.id = c.ad_id
  ), owners as (
    -- The kind of event that each ad bills, and how many of them its publisher's ceiling leaves today.
    select a.id as ad_id, d.user_id, case a.pricing_model when 'per_impression' then 'view' when 'per_click' then 'click' end
        as billed, d.max_views - d.views as views_left, d.max_clicks - d.clicks as clicks_left
      from ads a
      join ad_zones z on z.id = a.ad_zone_id
      join websites w on w.id = z.website_id
      join publisher_days d on d.user_id = w.user_id and d.date = today
      where with_ceilings and a.id = any (ad_ids)
  ), judged as (
    select g.issued_on, g.decision_id, g.kind, g.ad_id, g.zone_id, g.issued_at, g.creative,
        case
          when g.reason is null and g.kind = o.billed
            and row_number() over (partition by o.user_id, g.kind, g.reason is null and g.kind = o.billed order by g.place) >
              case g.kind when 'view' then o.views_left else o.clicks_left end then 'ceiling'
          else g.reason
        end as reason
      from within_goal g
      left join owners o on o.ad_id = g.ad_id
  ), recorded as (
    insert into ad_events as e (issued_on, decision_id, kind, ad_id, zone_id, issued_at, counted_at, reason, creative)
      select issued_on, decision_id, kind, ad_id, zone_id, issued_at, counting_at, reason, nullif(creative, 0) from judged
      -- The only event that exists already is a click that waited for its proof.
      on conflict (issued_on, decision_id, kind) do update
        set reason = excluded.reason, counted_at = excluded.counted_at
        where e.kind = 'click' and e.reason = 'not_rendered'
      returning ad_id, zone_id, kind, reason, creative
  ), sums as (
    select ad_id,
        count(*) filter (where kind = 'view')::integer as views,
        count(*) filter (where kind = 'click')::integer as clicks
      from recorded
      where reason is null
      group by ad_id
  ), bumped as (
    update ads a
      set total_impressions = a.total_impressions + s.views, total_clicks = a.total_clicks + s.clicks
      from sums s
      where a.id = s.ad_id
      returning a.id, a.total_impressions, a.total_clicks,
        coalesce(case a.pricing_model
          when 'per_impression' then a.total_impressions >= a.impressions
          when 'per_click' then a.total_clicks >= a.clicks
        end, false) as reached
  ), of_publisher as (
    update publisher_days d set views = d.views + s.views, clicks = d.clicks + s.clicks
      from (
        select o.user_id, count(*) filter (where r.kind = 'view') as views,
            count(*) filter (where r.kind = 'click') as clicks
          from recorded r join owners o on o.ad_id = r.ad_id and o.billed = r.kind
          where r.reason is null
          group by o.user_id) as s
      where d.user_id = s.user_id and d.date = today
  ), by_day as (
    insert into ad_performance as p (ad_id, date, impressions, clicks)
      select ad_id, today, views, clicks from sums
      on conflict (ad_id, date) do update
        set impressions = p.impressions + excluded.impressions, clicks = p.clicks + excluded.clicks
  ), by_creative as (
    insert into creative_counts as n (ad_id, creative, kind, n)
      select ad_id, creative, kind, count(*)
        from recorded
        where reason is null and creative is not null and kind in ('view', 'click')
        group by ad_id, creative, kind
      on conflict (ad_id, creative, kind) do update set n = n.n + excluded.n
  ), unreported as (
    insert into ad_unreported_clicks as u (ad_id, date, n)
      select c.ad_id, today, count(*) from clicks c
        where c.reason is null and not c.reported
        group by c.ad_id
      on conflict (ad_id, date) do update set n = u.n + excluded.n
  ), by_reason as (
    insert into delivery_hourly as d (hour, ad_id, zone_id, kind, reason, n)
      select this_hour, ad_id, zone_id, kind, reason, count(*)
        from (
          select ad_id, zone_id, kind, coalesce(reason, '') as reason from recorded
          union all
          select ad_id, zone_id, kind, 'duplicate' from compared
            where repeated and not implied and kind <> 'rendered'
          union all
          select ad_id, zone_id, 'rendered', 'duplicate' from compared
            where rendered and kind = 'view' and not repeated
          union all
          -- The view of a proven click follows a report of 'rendered'.
          select ad_id, zone_id, 'rendered', 'duplicate' from clicks
            where reason is null and reported and not viewed
        ) as each_event
        group by ad_id, zone_id, kind, reason
        -- The same order as in addToHours (server/delivery), so that the two cannot deadlock.
        order by ad_id, zone_id, kind, reason
      on conflict (ad_id, kind, reason, hour, zone_id) do update set n = d.n + excluded.n
  )
  select b.id, b.total_impressions, b.total_clicks, b.reached, moved.hours, moved.ads, moved.zones,
      again.views, again.clicks
    from (
      select array_agg(date_trunc('hour', c.waiting_since, 'utc')) as hours, array_agg(c.ad_id) as ads,
          array_agg(c.zone_id) as zones
        from clicks c
        where c.waiting_since is not null) as moved
    cross join (
      select count(*) filter (where kind = 'view') as views, count(*) filter (where kind = 'click') as clicks
        from compared
        where repeated and not implied) as again
    left join bumped b on true
  loop
    continue when ad_id is null;
    if completed then
      update ads set status = 'completed', end_date = counting_at, updated_at = counting_at where id = ad_id;
      perform graphile_worker.add_job('tell-completed', json_build_object('adId', ad_id));
    end if;
    return next;
  end loop;
  if moved_hours is not null then
    perform move_waiting_clicks(moved_hours, moved_ads, moved_zones);
  end if;
  if repeated_views + repeated_clicks > 0 then
    ad_id := null; total_impressions := repeated_views; total_clicks := repeated_clicks; completed := false;
    return next;
  end if;
end
$$;

-- 'rendered': an ad that had been drawn, and not been viewable when its page was left. A view stands for a rendered
-- impression of its own, so whoever adds them up has every rendered impression once. Where a view comes after its
-- decision was reported as rendered, the hours say so as kind 'rendered', reason 'duplicate': one to take away.
alter table ad_events
  drop constraint ad_events_kind_known,
  add constraint ad_events_kind_known check (kind in ('view', 'click', 'rendered'));
alter table delivery_hourly
  drop constraint delivery_hourly_kind_known,
  add constraint delivery_hourly_kind_known check (kind in ('decision', 'view', 'click', 'rendered'));

-- As in 004-ads.sql, but asked only when something it guards has changed: counting changes an ad with every batch.
drop trigger guard_ad on ads;
create trigger guard_ad before update on ads for each row
  when (
    (old.user_id, old.ad_zone_id, old.ad_type, old.title, old.description, old.target_url, old.image_url, old.video_url,
      old.status, old.total_amount, old.commission_amount, old.payment_intent_id, old.pricing_model, old.duration,
      old.impressions, old.clicks, old.start_date)
    is distinct from
    (new.user_id, new.ad_zone_id, new.ad_type, new.title, new.description, new.target_url, new.image_url, new.video_url,
      new.status, new.total_amount, new.commission_amount, new.payment_intent_id, new.pricing_model, new.duration,
      new.impressions, new.clicks, new.start_date))
  execute function guard_ad();

-- As in 004-ads.sql, written out: the text of plan_is_whole would be read anew by every statement that writes an ad.
alter table ads
  drop constraint ads_plan,
  add constraint ads_plan check (coalesce(
    case pricing_model
      when 'per_day' then duration >= 1 and impressions is null and clicks is null
      when 'per_impression' then impressions >= 1 and duration is null and clicks is null
      when 'per_click' then clicks >= 1 and duration is null and impressions is null
    end, false));
-- As in 008-figures.sql, without decimal arithmetic.
alter table delivery_hourly
  drop constraint delivery_hourly_whole,
  add constraint delivery_hourly_whole check (hour = date_trunc('hour', hour, 'utc'));

-- As before (008-figures.sql), and with 'rendered'.
--
-- Counts a batch of events, given as parallel arrays, at the instant `counting_at`: the only writer of an ad's
-- counters. Each event is counted once, only while its ad is active, and never beyond what was bought; an ad whose
-- goal is reached is completed here and its notice queued. Returns the ads whose counters moved.
--
-- Servers count the same ads at the same time. All of them lock the ads of a batch first, in one order, so there is
-- no deadlock, and what follows sees a settled state: an event belongs to one ad, so nobody else is counting it.
--
-- `implied` marks the view that a click stands for: when there was a view already, that is no repetition.
-- Events may reach this function long after they were received, from a log in between. `counting_at` is when they were
-- received, and that decides: a per-day ad whose end has passed since, and that the sweep has completed, still gets what
-- was received before its end, on the day and in the hour it was received.
create or replace function count_events(
  counting_at timestamptz,
  issued_ms float8[], decision_ids bytea[], kinds text[], ad_ids integer[], zone_ids integer[], reasons text[],
  implied boolean[])
returns table (ad_id integer, total_impressions integer, total_clicks integer, completed boolean)
language plpgsql
-- The batch is small and the tables are large: always look rows up by their keys, whatever the statistics say.
set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  today date := (counting_at at time zone 'utc')::date;
  this_hour timestamptz := date_trunc('hour', counting_at, 'utc');
begin
  perform 1 from ads a where a.id = any (ad_ids) order by a.id for no key update;

  return query
  with given as (
    select g.*, to_timestamp(g.issued_ms / 1000) as issued_at,
        (to_timestamp(g.issued_ms / 1000) at time zone 'utc')::date as issued_on
      from unnest(issued_ms, decision_ids, kinds, ad_ids, zone_ids, reasons, implied) with ordinality
        as g (issued_ms, decision_id, kind, ad_id, zone_id, reason, implied, place)
  ), compared as (
    select g.*, known.rendered,
        coalesce(known.repeated, false)
          -- What is rendered after its view, or twice, says nothing new.
          or row_number() over (partition by g.decision_id, g.kind = 'click' order by g.kind desc, g.implied, g.place) > 1
          as repeated
      from given g
      cross join lateral (
        select bool_or(e.kind = g.kind or (e.kind = 'view' and g.kind = 'rendered')) as repeated,
            bool_or(e.kind = 'rendered') as rendered
          from ad_events e
          where e.issued_on = g.issued_on and e.decision_id = g.decision_id) as known
  ), judged as (
    select c.issued_on, c.decision_id, c.kind, c.ad_id, c.zone_id, c.issued_at,
        case
          when c.reason is not null then c.reason
          when a.status = 'completed' and a.pricing_model <> 'per_day' then 'over_goal'
          -- Here 'completed' is a per-day ad's: what was received before its end counts, however late it comes.
          when a.status is null or a.status not in ('active', 'completed') or a.end_date <= counting_at then 'not_live'
          when row_number() over (partition by c.ad_id, c.kind, c.reason is null order by c.place) >
            case
              when c.kind = 'view' and a.pricing_model = 'per_impression' then a.impressions - a.total_impressions
              when c.kind = 'click' and a.pricing_model = 'per_click' then a.clicks - a.total_clicks
            end then 'over_goal'
        end as reason
      from compared c
      left join ads a on a.id = c.ad_id
      where not c.repeated
  ), recorded as (
    insert into ad_events (issued_on, decision_id, kind, ad_id, zone_id, issued_at, counted_at, reason)
      select issued_on, decision_id, kind, ad_id, zone_id, issued_at, counting_at, reason from judged
      on conflict do nothing
      returning ad_id, zone_id, kind, reason
  ), sums as (
    select ad_id,
        count(*) filter (where kind = 'view')::integer as views,
        count(*) filter (where kind = 'click')::integer as clicks
      from recorded
      where reason is null
      group by ad_id
  ), bumped as (
    update ads a
      set total_impressions = a.total_impressions + s.views,
        total_clicks = a.total_clicks + s.clicks,
        status = case when reached then 'completed' else a.status end,
        end_date = case when reached then counting_at else a.end_date end,
        updated_at = case when reached then counting_at else a.updated_at end
      from sums s
      join ads b on b.id = s.ad_id
      cross join lateral (
        select (b.pricing_model = 'per_impression' and b.total_impressions + s.views >= b.impressions)
          or (b.pricing_model = 'per_click' and b.total_clicks + s.clicks >= b.clicks)) as goal (reached)
      where a.id = s.ad_id
      returning a.id, a.total_impressions, a.total_clicks, goal.reached
  ), by_day as (
    insert into ad_performance as p (ad_id, date, impressions, clicks)
      select ad_id, today, views, clicks from sums
      on conflict (ad_id, date) do update
        set impressions = p.impressions + excluded.impressions, clicks = p.clicks + excluded.clicks
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
        ) as each_event
        group by ad_id, zone_id, kind, reason
        -- In the order of server/delivery/store.ts addToHours, so that the two never wait for each other.
        order by ad_id, zone_id, kind, reason
      on conflict (ad_id, kind, reason, hour, zone_id) do update set n = d.n + excluded.n
  )
  select b.id, b.total_impressions, b.total_clicks,
      case
        when b.reached
          then (graphile_worker.add_job('tell-completed', json_build_object('adId', b.id))).id is not null
        else false
      end
    from bumped b;
end
$$;

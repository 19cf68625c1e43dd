-- Every view and click that was reported with a valid token, counted or not. The key makes an event count once,
-- whoever reports it how often. Partitioned by the day its decision was made, so that old days are dropped whole.
create table ad_events (
  issued_on date not null,
  decision_id bytea not null,
  kind text not null,
  ad_id integer not null,
  zone_id integer not null,
  issued_at timestamptz not null,
  counted_at timestamptz not null,
  -- Why it was not counted; null: it was.
  reason text,
  primary key (issued_on, decision_id, kind),
  constraint ad_events_kind_known check (kind in ('view', 'click')),
  constraint ad_events_reason_known check (reason in (
    'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal'))
) partition by range (issued_on);

create function ensure_event_partition(day date) returns void language plpgsql as $$
declare
  partition text := 'ad_events_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(partition) is not null then
    return;
  end if;
  -- Two servers may meet a new day at the same moment.
  perform pg_advisory_xact_lock(hashtext('ad_events'));
  execute format('create table if not exists %I partition of ad_events for values from (%L) to (%L)',
    partition, day, day + 1);
end
$$;

-- Days as both sides see them: decisions made, views and clicks counted (reason '') and not counted (by reason).
-- Without an ad: decisions that chose none, and tokens that name none we can believe.
create table delivery_daily (
  date date not null,
  ad_id integer,
  zone_id integer,
  kind text not null,
  reason text not null default '',
  n bigint not null,
  constraint delivery_daily_once unique nulls not distinct (ad_id, zone_id, date, kind, reason),
  constraint delivery_daily_kind_known check (kind in ('decision', 'view', 'click')),
  constraint delivery_daily_reason_known check (reason in ('',
    'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal')),
  constraint delivery_daily_positive check (n > 0)
);
create index delivery_daily_zone on delivery_daily (zone_id, date);

-- Counts a batch of events, given as parallel arrays, at the instant `counting_at`: the only writer of an ad's
-- counters. Each event is counted once, only while its ad is active, and never beyond what was bought; an ad whose
-- goal is reached is completed here and its notice queued. Returns the ads whose counters moved.
--
-- Servers count the same ads at the same time. All of them lock the ads of a batch first, in one order, so there is
-- no deadlock, and what follows sees a settled state: an event belongs to one ad, so nobody else is counting it.
--
-- `implied` marks the view that a click stands for: when there was a view already, that is no repetition.
create function count_events(
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
begin
  perform 1 from ads a where a.id = any (ad_ids) order by a.id for no key update;

  return query
  with given as (
    select g.*, to_timestamp(g.issued_ms / 1000) as issued_at,
        (to_timestamp(g.issued_ms / 1000) at time zone 'utc')::date as issued_on
      from unnest(issued_ms, decision_ids, kinds, ad_ids, zone_ids, reasons, implied) with ordinality
        as g (issued_ms, decision_id, kind, ad_id, zone_id, reason, implied, place)
  ), compared as (
    select g.*,
        e.decision_id is not null
          or row_number() over (partition by g.decision_id, g.kind order by g.implied, g.place) > 1 as repeated
      from given g
      left join ad_events e
        on e.issued_on = g.issued_on and e.decision_id = g.decision_id and e.kind = g.kind
  ), judged as (
    select c.issued_on, c.decision_id, c.kind, c.ad_id, c.zone_id, c.issued_at,
        case
          when c.reason is not null then c.reason
          when a.status = 'completed' and a.pricing_model <> 'per_day' then 'over_goal'
          when a.status is distinct from 'active' or a.end_date <= counting_at then 'not_live'
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
    insert into delivery_daily as d (date, ad_id, zone_id, kind, reason, n)
      select today, ad_id, zone_id, kind, reason, count(*)
        from (
          select ad_id, zone_id, kind, coalesce(reason, '') as reason from recorded
          union all
          select ad_id, zone_id, kind, 'duplicate' from compared where repeated and not implied
        ) as each_event
        group by ad_id, zone_id, kind, reason
        -- In the order of server/delivery/store.ts addToDays, so that the two never wait for each other.
        order by ad_id, zone_id, kind, reason
      on conflict (ad_id, zone_id, date, kind, reason) do update set n = d.n + excluded.n
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

-- What the ad server keeps in memory, per zone that is shown at all.
create view delivery_zones as
  select z.id, z.public_id, z.tag_seen_at,
      w.id as website_id, w.public_id as website_public_id, w.url as website_url, w.monthly_visitors, w.verified_at,
      offer.price, offer.pricing_model, offer.duration, offer.impressions, offer.clicks
    from ad_zones z
    join websites w on w.id = z.website_id
    left join lateral (
      select p.price, p.pricing_model, p.duration, p.impressions, p.clicks
        from ad_zone_products p
        where p.ad_zone_id = z.id and p.is_active
        order by p.price, p.id
        limit 1) as offer on true
    where z.is_active and z.deleted_at is null and w.is_active;

create view delivery_ads as
  select a.id, a.public_id, a.ad_zone_id, a.ad_type, a.title, a.description, a.target_url,
      a.pricing_model, a.impressions, a.clicks, a.total_impressions, a.total_clicks, a.start_date, a.end_date,
      a.image_url, image.rendition as image_rendition, image.width as image_width, image.height as image_height,
      a.video_url, video.rendition as video_rendition, video.width as video_width, video.height as video_height
    from ads a
    left join uploads image on a.image_url like '/ad-images/%' and image.name = substr(a.image_url, 12)
    left join uploads video on a.video_url like '/ad-images/%' and video.name = substr(a.video_url, 12)
    where a.status = 'active';

-- Zones whose offer changed. A server reads those of transactions it has not seen (see server/delivery/changes.ts),
-- and is told by NOTIFY when to look. Append-only, so that writers never wait for each other here.
create table delivery_changes (
  zone_id integer not null,
  xid xid8 not null default pg_current_xact_id(),
  -- For clearing away only.
  changed_at timestamptz not null default now()
);
create index delivery_changes_xid on delivery_changes (xid);

create function note_delivery_change(zone integer) returns void language sql as $$
  insert into delivery_changes (zone_id) values (zone);
  select pg_notify('delivery_changes', '');
$$;

create function note_offer_change() returns trigger language plpgsql as $$
begin
  perform note_delivery_change(case when tg_op = 'DELETE' then old.ad_zone_id else new.ad_zone_id end);
  return null;
end
$$;
create trigger note_ad_starting after insert on ads
  for each row when (new.status = 'active') execute function note_offer_change();
create trigger note_ad_changing after update on ads
  for each row when (
    (old.status = 'active' or new.status = 'active')
    and (old.status, old.end_date, old.title, old.description, old.target_url, old.image_url, old.video_url)
      is distinct from
      (new.status, new.end_date, new.title, new.description, new.target_url, new.image_url, new.video_url))
  execute function note_offer_change();
create trigger note_ad_removal after delete on ads
  for each row when (old.status = 'active') execute function note_offer_change();
create trigger note_product_change after insert or update or delete on ad_zone_products
  for each row execute function note_offer_change();

create function note_zone_change() returns trigger language plpgsql as $$
begin
  perform note_delivery_change(case when tg_op = 'DELETE' then old.id else new.id end);
  return null;
end
$$;
create trigger note_zone_creation after insert or delete on ad_zones
  for each row execute function note_zone_change();
create trigger note_zone_changing after update on ad_zones
  for each row when (
    (old.website_id, old.is_active, old.deleted_at) is distinct from (new.website_id, new.is_active, new.deleted_at))
  execute function note_zone_change();

create function note_website_change() returns trigger language plpgsql as $$
begin
  perform note_delivery_change(z.id) from ad_zones z where z.website_id = new.id;
  return null;
end
$$;
create trigger note_website_changing after update on websites
  for each row when (
    (old.url, old.is_active, old.monthly_visitors, old.verified_at)
      is distinct from (new.url, new.is_active, new.monthly_visitors, new.verified_at))
  execute function note_website_change();

-- Invalid traffic after the fact (docs/decisions/024-withdrawn-traffic.md). 'ceiling' is beyond the daily ceiling of a new
-- publisher. 'withdrawn' is never stored with an event: readers of withdrawn_hours report it as a reason.
alter table ad_events drop constraint ad_events_reason_known;
alter table ad_events add constraint ad_events_reason_known check (reason in (
  'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
  'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
  'publisher_cap', 'ceiling', 'withdrawn'));
alter table delivery_hourly drop constraint delivery_hourly_reason_known;
alter table delivery_hourly add constraint delivery_hourly_reason_known check (reason in ('',
  'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
  'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
  'publisher_cap', 'ceiling', 'withdrawn'));

-- How the counted events of an hour spread over networks, browsers and delays, and how often the tag was fetched. A network
-- or browser is one of 65,536 or 4,096 buckets of a hash whose key changes every week, so a row names neither. A job
-- deletes the rows after three days.
create table traffic_traits (
  hour timestamptz not null,
  zone_id integer not null,
  trait text not null,
  bucket integer not null,
  n bigint not null,
  primary key (hour, zone_id, trait, bucket),
  constraint traffic_traits_trait_known check (trait in ('network', 'browser', 'delay', 'tag')),
  constraint traffic_traits_positive check (n > 0),
  constraint traffic_traits_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index traffic_traits_zone on traffic_traits (zone_id, hour);

-- Dated adjustments of what was counted. One takes counted views and clicks of a zone's hours back; one that names
-- another in `overrules` gives them back again. Both tables are append-only (server/db/functions/withdrawals_are_append_only.sql).
create table withdrawals (
  id integer generated always as identity primary key,
  zone_id integer not null,
  -- The hours from `from_hour` to before `until_hour`.
  from_hour timestamptz not null,
  until_hour timestamptz not null,
  made_at timestamptz not null,
  -- The signals that exceeded their bounds: [{"signal", "value", "bound"}]. Empty if it overrules another.
  signals jsonb not null default '[]',
  overrules integer unique references withdrawals,
  -- The operator that overruled it, and the reason.
  made_by text,
  reason text,
  constraint withdrawals_hours check (from_hour < until_hour),
  constraint withdrawals_have_a_reason check (
    (overrules is null and made_by is null and reason is null and jsonb_array_length(signals) > 0)
    or (overrules is not null and btrim(made_by) <> '' and btrim(reason) <> '' and length(reason) <= 500
      and jsonb_array_length(signals) = 0))
);
create index withdrawals_zone on withdrawals (zone_id, until_hour);

-- The events that an adjustment took from each ad and hour. `n` is negative where it gives back.
create table withdrawn_hours (
  withdrawal_id integer not null references withdrawals,
  hour timestamptz not null,
  ad_id integer not null,
  kind text not null,
  zone_id integer not null,
  n bigint not null,
  primary key (withdrawal_id, hour, ad_id, kind),
  constraint withdrawn_hours_kind_known check (kind in ('view', 'click')),
  constraint withdrawn_hours_not_zero check (n <> 0)
);
create index withdrawn_hours_ad on withdrawn_hours (ad_id, kind, hour);
create index withdrawn_hours_zone on withdrawn_hours (zone_id, hour);

-- The daily ceiling of a publisher's billable events (UTC), and the events that were billed. Null means no ceiling. The
-- first event of a day writes the row (server/db/functions/daily_ceiling.sql).
create table publisher_days (
  user_id integer not null references users on delete cascade,
  date date not null,
  max_views integer,
  max_clicks integer,
  views integer not null default 0,
  clicks integer not null default 0,
  primary key (user_id, date),
  constraint publisher_days_not_negative check (views >= 0 and clicks >= 0),
  constraint publisher_days_within_ceiling check (views <= max_views and clicks <= max_clicks)
);

-- Publishers who have sold before are not new.
insert into publisher_days (user_id, date, views, clicks)
  select w.user_id, (d.hour at time zone 'utc')::date,
      coalesce(sum(d.n) filter (where d.kind = 'view' and a.pricing_model = 'per_impression'), 0),
      coalesce(sum(d.n) filter (where d.kind = 'click' and a.pricing_model = 'per_click'), 0)
    from delivery_hourly d
    join ads a on a.id = d.ad_id
    join ad_zones z on z.id = a.ad_zone_id
    join websites w on w.id = z.website_id
    where d.reason = '' and d.kind in ('view', 'click')
    group by 1, 2;

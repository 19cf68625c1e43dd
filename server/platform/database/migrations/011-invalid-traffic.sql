-- Invalid traffic that is found after the fact, and the ceilings of new publishers (docs/measurement.md).

-- The counted events of an hour by what makes them alike: network, browser and delay
-- (docs/decisions/024-withdrawn-traffic.md). A job deletes the rows.
create table traffic_clusters (
  hour timestamptz not null,
  zone_id integer not null,
  ad_id integer not null,
  kind text not null,
  -- Buckets of a hash whose key changes every week, so a row names neither a network nor a browser.
  network integer not null,
  browser integer not null,
  -- The step of a view's delay. -1 for a click.
  delay integer not null,
  n integer not null,
  -- The events that were withdrawn with their cluster.
  withdrawn integer not null default 0,
  primary key (zone_id, hour, ad_id, kind, network, browser, delay),
  constraint traffic_clusters_kind_known check (kind in ('view', 'click')),
  constraint traffic_clusters_withdrawn check (withdrawn between 0 and n),
  constraint traffic_clusters_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index traffic_clusters_hour on traffic_clusters (hour);

-- How often the tag of a zone was loaded in an hour.
create table tag_loads (
  hour timestamptz not null,
  zone_id integer not null,
  n bigint not null,
  primary key (zone_id, hour),
  constraint tag_loads_positive check (n > 0),
  constraint tag_loads_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index tag_loads_hour on tag_loads (hour);

-- Dated adjustments of what was counted (docs/decisions/024-withdrawn-traffic.md). One takes counted views and clicks
-- of a zone's hours back; one that names another in `overrules` gives them back again. This table and withdrawn_hours
-- are append-only (server/platform/database/functions/invalid-traffic/withdrawals_are_append_only.sql).
create table withdrawals (
  id integer generated always as identity primary key,
  zone_id integer not null,
  -- The hours from `from_hour` to before `until_hour`.
  from_hour timestamptz not null,
  until_hour timestamptz not null,
  -- The signals that exceeded their bounds: [{"signal", "value", "bound"}]. Empty if it overrules another.
  signals jsonb not null default '[]',
  overrules integer unique references withdrawals,
  -- The operator that overruled it, and the reason.
  made_by text,
  reason text,
  made_at timestamptz not null,
  constraint withdrawals_hours check (from_hour < until_hour),
  constraint withdrawals_have_a_reason check (
    (overrules is null and made_by is null and reason is null and jsonb_array_length(signals) > 0)
    or (overrules is not null and btrim(made_by) <> '' and btrim(reason) <> '' and length(reason) <= 500
      and jsonb_array_length(signals) = 0))
);
create index withdrawals_zone on withdrawals (zone_id, until_hour);
create index withdrawals_made on withdrawals (made_at);
-- The operator's queue of withdrawals that can still be overruled: those of months that are not finished.
create index withdrawals_of_month on withdrawals (from_hour) where overrules is null;

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
create index withdrawn_hours_hour on withdrawn_hours using brin (hour) with (autosummarize = on);

-- Which withdrawals we have mailed to whom, so that each person gets at most one mail a day and no withdrawal twice.
create table told_withdrawals (
  user_id integer not null references users on delete cascade,
  withdrawal_id integer not null references withdrawals,
  told_at timestamptz not null,
  primary key (user_id, withdrawal_id)
);
create index told_withdrawals_told on told_withdrawals (user_id, told_at);

-- The daily ceiling of a publisher's billable events (UTC), and the events that were billed. The first event of a day
-- writes the row (server/platform/database/functions/invalid-traffic/daily_ceiling.sql).
create table publisher_days (
  user_id integer not null references users on delete cascade,
  date date not null,
  -- Null: no ceiling.
  max_views integer,
  max_clicks integer,
  views integer not null default 0,
  clicks integer not null default 0,
  primary key (user_id, date),
  constraint publisher_days_not_negative check (views >= 0 and clicks >= 0),
  constraint publisher_days_within_ceiling check (views <= max_views and clicks <= max_clicks)
);

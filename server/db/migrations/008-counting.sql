-- Events and the figures that are counted from them.

-- The events that the tag reported with a valid token: every view and click, and every rendered ad that was not
-- viewable when the visitor left the page. The key makes an event count once, however often it is reported. The table
-- is partitioned by the UTC day of the decision, so that a job can drop old days as a whole
-- (server/db/functions/ensure_event_partition.sql).
--
-- A view implies that its ad was rendered, so the sum of both kinds has every rendered ad once. If a view arrives after
-- its decision was reported as rendered, delivery_hourly gets a row of kind 'rendered' and reason 'duplicate', which
-- readers subtract.
create table ad_events (
  issued_on date not null,
  decision_id bytea not null,
  kind text not null,
  ad_id integer not null,
  zone_id integer not null,
  -- Why the event was filtered (domain/delivery/reasons.ts). Null: it was counted. 'withdrawn' is never stored: readers
  -- of withdrawn_hours report it as a reason.
  reason text,
  issued_at timestamptz not null,
  counted_at timestamptz not null,
  primary key (issued_on, decision_id, kind),
  constraint ad_events_kind_known check (kind in ('view', 'click', 'rendered')),
  constraint ad_events_reason_known check (reason in (
    'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
    'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
    'publisher_cap', 'ceiling', 'withdrawn', 'no_proof'))
) partition by range (issued_on);

-- Counted impressions and clicks, one row per ad and UTC day.
create table ad_performance (
  id integer generated always as identity primary key,
  ad_id integer not null references ads on delete cascade,
  date date not null,
  impressions integer not null default 0,
  clicks integer not null default 0,
  constraint ad_performance_day unique (ad_id, date),
  constraint ad_performance_not_negative check (impressions >= 0 and clicks >= 0)
);

-- Decisions, and events by their reason ('' for counted ones), per hour. Hours can be added up to days of the reader's
-- timezone, because every timezone of domain/accounts/settings.ts is whole hours away from UTC all year.
create table delivery_hourly (
  hour timestamptz not null,
  -- Null: the decision selected no ad, or the token is forged, so its ad cannot be trusted.
  ad_id integer,
  zone_id integer,
  kind text not null,
  reason text not null default '',
  n bigint not null,
  -- The columns are in the order in which queries use them: one ad, its counted events, a range of hours.
  constraint delivery_hourly_once unique nulls not distinct (ad_id, kind, reason, hour, zone_id),
  constraint delivery_hourly_kind_known check (kind in ('decision', 'view', 'click', 'rendered')),
  constraint delivery_hourly_reason_known check (reason in ('',
    'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
    'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
    'publisher_cap', 'ceiling', 'withdrawn', 'no_proof')),
  constraint delivery_hourly_positive check (n > 0),
  constraint delivery_hourly_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index delivery_hourly_zone on delivery_hourly (zone_id, hour);

-- The clicks of an ad that counted in a UTC day although no report of its rendering came, as video players may omit it.
create table ad_unreported_clicks (
  ad_id integer not null references ads on delete cascade,
  date date not null,
  n integer not null,
  primary key (ad_id, date),
  constraint ad_unreported_clicks_positive check (n > 0)
);
-- For the job that deletes old days.
create index ad_unreported_clicks_date on ad_unreported_clicks (date);

-- The clicks that left with a token, whose landing the advertiser reports (docs/decisions/025-landings.md). A job
-- deletes them after three days, when no token is valid any more.
create table measured_clicks (
  decision_id bytea primary key,
  -- The UTC day of the decision, for the lookup in ad_events.
  issued_on date not null,
  ad_id integer not null,
  zone_id integer not null,
  -- Whether the click passed all rules. Null: not known yet, because it may wait for its proof.
  counted boolean,
  clicked_at timestamptz not null,
  landed_at timestamptz
);
create index measured_clicks_clicked on measured_clicks (clicked_at);
create index measured_clicks_open on measured_clicks (clicked_at) where counted is null;

-- The clicks that left with a token and passed all rules, and those of them that landed, by the hour of the click.
create table landing_hours (
  ad_id integer not null,
  hour timestamptz not null,
  zone_id integer not null,
  clicks integer not null,
  landings integer not null,
  primary key (ad_id, hour, zone_id),
  constraint landing_hours_landed_of_clicked check (landings between 0 and clicks and clicks > 0),
  constraint landing_hours_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index landing_hours_zone on landing_hours (zone_id, hour);

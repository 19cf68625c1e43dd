-- The events that the tag reported with a valid token: every view and click, and every rendered ad that was not viewable
-- when the visitor left the page. The key makes an event count once, however often it is reported. The table is
-- partitioned by the UTC day of the decision, so that a job can drop old days as a whole
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
  issued_at timestamptz not null,
  counted_at timestamptz not null,
  -- Why the event was filtered (domain/delivery/reasons.ts). Null: it was counted.
  reason text,
  primary key (issued_on, decision_id, kind),
  constraint ad_events_kind_known check (kind in ('view', 'click', 'rendered')),
  constraint ad_events_reason_known check (reason in (
    'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
    'data_center', 'activity'))
) partition by range (issued_on);

-- Counted impressions and clicks, one row per ad and UTC day.
create table ad_performance (
  id integer generated always as identity primary key,
  ad_id integer not null references ads on delete cascade,
  impressions integer not null default 0,
  clicks integer not null default 0,
  date date not null,
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
    'data_center', 'activity')),
  constraint delivery_hourly_positive check (n > 0),
  constraint delivery_hourly_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index delivery_hourly_zone on delivery_hourly (zone_id, hour);

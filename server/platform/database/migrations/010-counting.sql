-- Events and the figures that are counted from them.

-- The events that the tag reported with a valid token: every view and click, and every rendered ad that was not
-- viewable when the visitor left the page. The key makes an event count once, however often it is reported. The table
-- is partitioned by the UTC day of the decision, so that a job can drop old days as a whole
-- (server/platform/database/functions/delivery/ensure_event_partition.sql).
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
  -- The creative that the event was of (ad_variants.number); null if the ad had only one at its decision.
  creative smallint,
  issued_at timestamptz not null,
  counted_at timestamptz not null,
  primary key (issued_on, decision_id, kind),
  constraint ad_events_kind_known check (kind in ('view', 'click', 'rendered')),
  constraint ad_events_reason_known check (reason in (
    'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
    'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
    'publisher_cap', 'ceiling', 'withdrawn', 'no_proof', 'agent'))
) partition by range (issued_on);

-- Days of events that no report can belong to any more, packed: an event takes a fifth of the room that it takes as a
-- row of ad_events (docs/decisions/121-packed-events.md). Only pack_events() writes here, and drop_event_day() deletes.
--
-- One row for the events of an ad that have zone, kind, reason and creative in common. A day has several such rows.
create table packed_events (
  issued_on date not null,
  ad_id integer not null,
  zone_id integer not null,
  kind text not null,
  reason text,
  creative smallint,
  -- One element for each event, in one order. The times are milliseconds after the UTC day `issued_on` began.
  decision_ids bytea[] not null,
  issued_ms integer[] not null,
  counted_ms integer[] not null,
  constraint packed_events_equal_lengths check (
    cardinality(decision_ids) > 0 and cardinality(decision_ids) = cardinality(issued_ms)
    and cardinality(issued_ms) = cardinality(counted_ms))
);
create index packed_events_day on packed_events (issued_on);

-- All events that are kept, whether packed or not. Read a day by its `issued_on`.
create view kept_events as
  select issued_on, decision_id, kind, ad_id, zone_id, reason, issued_at, counted_at, creative from ad_events
  union all
  select p.issued_on, e.decision_id, p.kind, p.ad_id, p.zone_id, p.reason,
      day.began + e.issued_ms * interval '1 millisecond', day.began + e.counted_ms * interval '1 millisecond', p.creative
    from packed_events p
    cross join lateral (select p.issued_on::timestamp at time zone 'utc') as day (began)
    cross join lateral unnest(p.decision_ids, p.issued_ms, p.counted_ms) as e (decision_id, issued_ms, counted_ms);

-- The days of ad_events that were written to ARCHIVE_TO, or could not be (docs/decisions/121-packed-events.md). One row
-- for each UTC day of decisions.
create table archived_days (
  day date primary key,
  tried_at timestamptz not null,
  -- Why the last try failed. Null: the files were read back and have every event.
  error text,
  -- The folder or address below which the files are, such as s3://bucket/prefix.
  place text not null,
  parts integer not null default 0,
  rows bigint not null default 0,
  bytes bigint not null default 0,
  -- SHA-256 of the rows in the order of the files.
  digest text not null default '',
  -- How many sums by ad, kind and reason differ from those of delivery_hourly, and the first of them in words.
  differences integer not null default 0,
  first_difference text,
  -- The sums of the events that were received on other days than this one: {day: {"AD KIND REASON": n}}.
  elsewhere jsonb not null default '{}',
  -- Those of `rows` and `parts` whose events were dropped from the database. Events that come later are added as new parts.
  dropped_rows bigint not null default 0,
  dropped_parts integer not null default 0,
  constraint archived_days_dropped_of_all check (dropped_rows between 0 and rows and dropped_parts between 0 and parts)
);

-- How counting is shared (docs/decisions/111-counting-by-publisher.md): into how many partitions the publishers are sorted,
-- as the first start stored it.
create table event_partitions (
  is_only boolean primary key default true check (is_only),
  partitions smallint not null,
  constraint event_partitions_range check (partitions between 1 and 256)
);

-- The events that a server has acknowledged for the server that owns their partition.
create table handed_events (
  partition smallint not null,
  id bigint generated always as identity,
  -- JSON, as it also travels through NATS (server/delivery/event-log/sharing/message.ts).
  content text not null,
  -- Why the events can never be counted. The row is kept, so that an operator can look at it.
  refused text,
  primary key (partition, id)
);
-- Rows live for a moment, so compressing them would cost more than it saves.
alter table handed_events alter column content set storage external;
alter table handed_events set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

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
--
-- The votes of networks, of which the published shares are (docs/decisions/135-published-shares.md), and the visitors
-- whom an ad zone excludes (docs/decisions/054-delivered-days.md) are kinds of their own.
--
-- The table lies in months (docs/decisions/117-days-of-hours.md), for which ensure_hour_month() makes the partitions.
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
  constraint delivery_hourly_kind_known check (kind in (
    'decision', 'excluded', 'view', 'click', 'rendered', 'vote_rendered', 'vote_viewable', 'vote_judged')),
  constraint delivery_hourly_reason_known check (reason in ('',
    'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
    'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
    'publisher_cap', 'ceiling', 'withdrawn', 'no_proof', 'agent')),
  constraint delivery_hourly_positive check (n > 0),
  constraint delivery_hourly_whole check (hour = date_trunc('hour', hour, 'utc'))
) partition by range (hour);
create index delivery_hourly_zone on delivery_hourly (zone_id, hour);
-- The console's first page reads all rows of a period (server/operator/overview/store-overview.ts). Rows of an hour are
-- written in that hour, so they lie together, and an index of block ranges finds them. It has a few pages, and writing an
-- event does not move it. A B-tree would add an entry for each row.
create index delivery_hourly_hour on delivery_hourly using brin (hour) with (autosummarize = on);

-- The hours before the month after next have one partition, so that no month has to be made in a hurry.
do $$
begin
  execute format('create table delivery_hourly_before partition of delivery_hourly for values from (minvalue) to (%L)',
    date_trunc('month', now() + interval '2 months', 'utc'));
end $$;
-- For hours whose month has no partition yet, so that no report is ever refused.
create table delivery_hourly_rest partition of delivery_hourly default;

-- What was counted of each creative while two of them were shown.
create table creative_counts (
  ad_id integer not null references ads on delete cascade,
  creative smallint not null,
  kind text not null,
  n bigint not null,
  primary key (ad_id, creative, kind),
  constraint creative_counts_kind_known check (kind in ('view', 'click', 'landing')),
  constraint creative_counts_not_negative check (n >= 0)
);

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
  -- As in ad_events.
  creative smallint,
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

-- expand
-- The days of ad_events that were written to ARCHIVE_TO, or could not be (docs/decisions/112-archive.md). One row for each
-- UTC day of decisions.
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

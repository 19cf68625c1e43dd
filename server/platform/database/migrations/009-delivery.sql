-- The changes that the ad server reads, and its notes about requests.

-- The zones whose ads, prices or settings changed, written by the triggers note_* (server/platform/database/functions). Each instance
-- of the server reads the rows of transactions that it has not seen yet, and NOTIFY tells it when to look. Writers only
-- insert, so they never wait for each other here.
create table delivery_changes (
  zone_id integer not null,
  xid xid8 not null default pg_current_xact_id(),
  -- Only the job that deletes old rows reads it.
  changed_at timestamptz not null default now()
);
create index delivery_changes_xid on delivery_changes (xid);

-- For 'Test my zone': the zones that publishers are testing now, and what the server's instances see of them during the
-- test. Both tables are unlogged, because losing them in a crash does no harm. They hold no data of visitors: `origin`
-- is the publisher's page, and `decision` is a random id. [DEL-54]
create unlogged table zone_watches (
  zone_id integer primary key references ad_zones on delete cascade,
  until timestamptz not null
);

create unlogged table zone_sightings (
  id bigint generated always as identity primary key,
  -- The end of a test deletes its sightings.
  zone_id integer not null references zone_watches on delete cascade,
  kind text not null,
  is_test boolean not null,
  origin text,
  -- The decision that this event belongs to.
  decision text,
  ad_id integer,
  -- Why the event was filtered. Null: it was counted, or it is only a request.
  reason text,
  -- How long after the decision the event came.
  after_ms integer,
  -- The zone id in the request, if no zone has that id.
  asked text,
  seen_at timestamptz not null,
  constraint zone_sightings_kind_known check (kind in ('script', 'unknown', 'request', 'rendered', 'view', 'click'))
);
create index zone_sightings_zone on zone_sightings (zone_id, id);

-- Reasons that refuse nearly all reports of a website or of the installation
-- (docs/decisions/128-a-fault-says-its-name.md).
create table delivery_faults (
  id integer generated always as identity primary key,
  -- Null: of the installation.
  website_id integer references websites on delete cascade,
  kind text not null,
  cause text not null,
  -- The requests and reports of the hour in which the fault was seen last, and how many of them were refused.
  counted text not null,
  total bigint not null,
  refused bigint not null,
  began_at timestamptz not null,
  seen_at timestamptz not null,
  -- When the publisher's mail was queued. The operator is told by an alarm instead.
  told_at timestamptz,
  -- When somebody said that it is expected.
  expected_at timestamptz,
  ended_at timestamptz,
  constraint delivery_faults_kind_known check (kind in ('no_proof', 'repeated', 'limits', 'wrong_site', 'bot',
    'not_a_browser', 'data_center', 'forged', 'wrong_format', 'not_rendered', 'too_fast', 'silent')),
  constraint delivery_faults_cause_known check (cause in ('page_scripts', 'reports_altered', 'stored_answers',
    'ima_player', 'other_site', 'tag_gone', 'tag_stopped', 'unreachable', 'private_address', 'one_network',
    'few_visitors', 'headers_removed', 'programs', 'hidden_by_cdn', 'data_centers', 'foreign_tokens', 'reason_only')),
  constraint delivery_faults_counted_known check (counted in ('reports', 'requests')),
  constraint delivery_faults_part check (refused between 0 and total)
);
-- Several servers look at the same time. One of them adds the row.
create unique index delivery_faults_open on delivery_faults (website_id, kind) nulls not distinct where ended_at is null;
create index delivery_faults_website on delivery_faults (website_id, kind);
create index delivery_faults_ended on delivery_faults (ended_at) where ended_at is not null;

-- How many refused requests of an hour had a trait that tells the cause. Nothing else of them is kept. No foreign key, so
-- that counting never waits for a change of the zone.
create table refused_facts (
  hour timestamptz not null,
  zone_id integer not null,
  reason text not null,
  n integer not null,
  private_address integer not null,
  same_network integer not null,
  ima_player integer not null,
  stripped_headers integer not null,
  primary key (hour, zone_id, reason),
  constraint refused_facts_positive check (n > 0),
  constraint refused_facts_whole check (hour = date_trunc('hour', hour, 'utc'))
);

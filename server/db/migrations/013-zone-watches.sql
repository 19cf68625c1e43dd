-- 'Test my zone' (DEL-54 to DEL-56): which zones their publishers watch at this moment, and what the copies of the server
-- saw of them meanwhile. Nothing of it must last, so both are unlogged: a crash empties them. Of visitors nothing is
-- kept; `origin` is the publisher's page's, `decision` the random name of one choice.
create unlogged table zone_watches (
  zone_id integer primary key references ad_zones on delete cascade,
  until timestamptz not null
);

create unlogged table zone_sightings (
  id bigint generated always as identity primary key,
  -- What was seen goes with the watch.
  zone_id integer not null references zone_watches on delete cascade,
  seen_at timestamptz not null,
  kind text not null,
  is_test boolean not null,
  origin text,
  -- Joins what follows to its request.
  decision text,
  ad_id integer,
  -- Why nothing of it counts; null: it does, or it is no more than a request.
  reason text,
  -- Between the choice and what followed it.
  after_ms integer,
  -- The name that was asked for, where no zone has it.
  asked text,
  constraint zone_sightings_kind_known check (kind in ('script', 'unknown', 'request', 'rendered', 'view', 'click'))
);
create index zone_sightings_zone on zone_sightings (zone_id, id);

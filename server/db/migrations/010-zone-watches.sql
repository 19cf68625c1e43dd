-- For 'Test my zone': the zones that publishers are testing now, and what the server's instances see of them during the
-- test. Both tables are unlogged, because losing them in a crash does no harm. They hold no data of visitors: `origin` is
-- the publisher's page, and `decision` is a random id. [DEL-54] [DEL-55] [DEL-56]
create unlogged table zone_watches (
  zone_id integer primary key references ad_zones on delete cascade,
  until timestamptz not null
);

create unlogged table zone_sightings (
  id bigint generated always as identity primary key,
  -- The end of a test deletes its sightings.
  zone_id integer not null references zone_watches on delete cascade,
  seen_at timestamptz not null,
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
  constraint zone_sightings_kind_known check (kind in ('script', 'unknown', 'request', 'rendered', 'view', 'click'))
);
create index zone_sightings_zone on zone_sightings (zone_id, id);

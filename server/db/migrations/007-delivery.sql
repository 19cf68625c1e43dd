-- The changes that the ad server reads, and its notes about requests.

-- The zones whose ads, prices or settings changed, written by the triggers note_* (server/db/functions). Each instance
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
-- is the publisher's page, and `decision` is a random id. [DEL-54] [DEL-55] [DEL-56]
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

-- The peers that sent X-Forwarded-For without being named in TRUSTED_PROXIES, for `openslot doctor`. Only private and
-- loopback addresses are kept. All public ones share the row '', because they may be visitors.
create table untrusted_forwarding (
  peer text primary key,
  seen_at timestamptz not null
);

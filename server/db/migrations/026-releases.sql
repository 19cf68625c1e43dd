-- expand
-- The release that owns the functions, and the oldest one that may start beside it (server/db/migrate.ts).
create table openslot_release (
  is_only boolean primary key default true check (is_only),
  release text not null,
  compatible_from text not null
);

-- The running servers. They count each other, to share what is left of a quota (server/db/servers.ts).
create table servers (
  server text primary key,
  release text not null,
  seen timestamptz not null
);

-- expand
-- Backups that this installation made or tried to make.
create table backups (
  id integer generated always as identity primary key,
  -- The folder or address below which they are, such as s3://bucket/prefix.
  place text not null,
  -- What `openslot restore --from` takes. Null: it failed.
  backup text,
  started_at timestamptz not null,
  release text not null,
  bytes bigint,
  seconds numeric,
  error text,
  -- When it was restored as a proof and held, and what was wrong if it did not.
  verified_at timestamptz,
  verify_error text,
  constraint backups_made_or_failed check ((backup is null) = (error is not null) and (backup is null) = (bytes is null))
);
create unique index backups_backup on backups (backup);
create index backups_newest on backups (place, started_at);

-- After a restore, nothing leaves the installation until an operator lets it (server/outbound).
create table outbound (
  is_only boolean primary key default true check (is_only),
  -- Null: nothing is held.
  held_since timestamptz
);
insert into outbound default values;

-- The installation itself: its releases and servers, its settings, its jobs and its backups.

-- The release that owns the functions, and the oldest one that may start beside it (server/platform/database/migrate.ts).
create table openslot_release (
  is_only boolean primary key default true check (is_only),
  release text not null,
  compatible_from text not null
);

-- The running servers. They count each other, to share what is left of a quota (server/platform/database/servers/servers.ts).
create table servers (
  server text primary key,
  release text not null,
  -- The settings that the environment of this server has. The database cannot have them, too.
  environment text[] not null default '{}',
  -- Fingerprints of the secrets that the server accepts, so that one with other secrets does not start beside it
  -- (docs/decisions/115-refused-starts.md). The first one signs.
  secrets text[] not null default '{}',
  started_at timestamptz not null default now(),
  seen timestamptz not null
);

-- What makes this database one of a kind.
create table installation (
  only_row boolean primary key default true check (only_row),
  -- Names this installation to the payment provider, so that another database's objects are never taken for ours.
  id uuid not null default gen_random_uuid(),
  -- The first sale fixes it.
  currency text,
  -- The book of the last sale. A change of the provider is noticed by it (server/money/checkout/customers.ts).
  book text,
  -- In development, /dev/clock moves the marketplace's clock forward by this much. Whole seconds, so that the clock and
  -- the wall clock always start a second at the same moment (server/delivery/snapshot/reservations.ts).
  clock_ahead_ms bigint not null default 0,
  constraint installation_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint installation_clock check (clock_ahead_ms >= 0 and clock_ahead_ms % 1000 = 0)
);
insert into installation default values;

-- The settings that the operator changes while the server runs (docs/decisions/088-settings-in-the-database.md).
create table settings (
  name text primary key,
  -- As it is written in the environment.
  value text not null,
  changed_at timestamptz not null,
  -- The account of the operator. Null for the command line. No foreign key, as in operator_acts.
  changed_by integer
);

-- The last hour of the marketplace's clock for which an hourly job has run (server/app/jobs/worker.ts).
create table job_hours (
  name text primary key,
  hour timestamptz not null
);

-- The counters of rate-limiter-flexible. All instances of the server share them.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);

-- The peers that sent X-Forwarded-For without being named in TRUSTED_PROXIES, for `openslot doctor`. Only private and
-- loopback addresses are kept. All public ones share the row '', because they may be visitors.
create table untrusted_forwarding (
  peer text primary key,
  seen_at timestamptz not null
);

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

-- After a restore, nothing leaves the installation until an operator lets it (server/platform/outbound).
create table outbound (
  is_only boolean primary key default true check (is_only),
  -- Null: nothing is held.
  held_since timestamptz
);
insert into outbound default values;

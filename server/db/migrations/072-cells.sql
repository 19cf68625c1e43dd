-- expand
-- Cells: other installations that serve the ads of some publishers (docs/decisions/118-cells.md). The first tables are of
-- the marketplace, the others of a cell. A database has the rows of one of the two.
set local lock_timeout = '500ms';

create table cells (
  id integer generated always as identity primary key,
  name text not null unique,
  -- SHA-256 of the key, which only the cell has.
  key_hash bytea not null unique,
  -- The origin that the snippets of its publishers' ad zones name.
  delivery_url text not null,
  added_at timestamptz not null,
  -- What the cell said last: its release, when it was seen, and up to when the marketplace has all of its figures.
  release text,
  seen_at timestamptz,
  counted_until timestamptz,
  constraint cells_name check (name ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$')
);

-- The cell that serves the ad zones of this publisher; null: this marketplace does. It is set before the first ad zone.
alter table users add column cell_id integer;
alter table users add constraint users_cell foreign key (cell_id) references cells on delete restrict not valid;

-- What a cell has counted that was not bought any more, because the ad ended here while the cell was away. It stands in
-- delivery_hourly under `reason`, and the cell has it among its counted events.
create table cell_surplus (
  ad_id integer not null references ads on delete cascade,
  kind text not null,
  reason text not null,
  hour timestamptz not null,
  zone_id integer not null,
  n bigint not null,
  primary key (ad_id, kind, reason, hour, zone_id),
  constraint cell_surplus_kind_known check (kind in ('view', 'click')),
  constraint cell_surplus_reason_known check (reason in ('not_live', 'over_goal')),
  constraint cell_surplus_positive check (n > 0)
);

-- Has a row in the database of a cell. Only the owner of the tables can write it, because guards depend on it.
create table cell_self (
  is_only boolean primary key default true check (is_only),
  since timestamptz not null default now()
);

-- How far a cell has read the changes of its marketplace.
create table cell_progress (
  is_only boolean primary key default true check (is_only),
  -- The installation of the marketplace, and the name of this cell there. Another one is refused.
  marketplace text not null,
  cell text not null,
  -- The position in the changes of the marketplace (server/delivery/snapshot/store.ts).
  horizon text not null,
  database text not null,
  -- While all ad zones are read again: the last one that was read.
  reading_after integer,
  -- Whether all ad zones have been read once.
  is_complete boolean not null default false,
  -- Grows with each step, so that a server that was stopped for a while writes nothing old.
  step bigint not null default 0,
  pulled_at timestamptz not null
);

-- The hours of ads whose figures have changed since the marketplace has acknowledged them. Writers only insert, so that
-- counting never waits here. ad_id 0: the decisions without an ad.
create table cell_due (
  id bigint generated always as identity primary key,
  zone_id integer not null,
  ad_id integer not null,
  hour timestamptz not null
);
alter table cell_due set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

insert into known_acts (name) values ('add-cell'), ('assign-cell');
insert into known_act_subjects (name) values ('cell');

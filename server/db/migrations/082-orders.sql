-- expand
-- The order has the terms of its sale (docs/decisions/133-sold-days.md,
-- docs/decisions/134-orders-by-key.md).
set local lock_timeout = '500ms';

-- The registrable domain of a target. Invented hosts of one domain count as one in the limits of checks.
alter table target_checks add column domain text;

-- The publisher takes no ads of the advertiser.
create table blocked_advertisers (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  advertiser_id integer not null references users on delete cascade,
  created_at timestamptz not null default now(),
  unique (user_id, advertiser_id)
);
create index blocked_advertisers_advertiser on blocked_advertisers (advertiser_id);

-- Whether the advertiser's key came with the order. An order number is known for a click, and for the advertiser if it is
-- proven (083-conversion-keys.sql).
alter table conversions add column is_proven boolean not null default false;

create table conversion_keys (
  user_id integer primary key references users on delete cascade,
  -- SHA-256
  key_hash bytea not null unique,
  created_at timestamptz not null default now()
);

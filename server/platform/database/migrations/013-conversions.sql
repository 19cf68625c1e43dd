-- The acts of visitors on the advertiser's page after a measured click (docs/decisions/025-landings.md).

create table conversions (
  id bigint generated always as identity primary key,
  ad_id integer not null references ads on delete cascade,
  zone_id integer not null,
  -- The advertiser, for the order numbers.
  user_id integer not null references users on delete cascade,
  -- The click. Null once its window is over.
  decision_id bytea,
  -- The creative of the click, as in ad_events.
  creative smallint,
  -- The SHA-256 of the order number. We do not keep the number itself. Null if none was sent.
  order_hash bytea,
  -- Whether the advertiser's key came with the order (docs/decisions/025-landings.md).
  is_proven boolean not null default false,
  value_cents integer,
  converted_at timestamptz not null,
  constraint conversions_value check (value_cents between 0 and 100000000)
);
-- An order number is known for a click, and for the advertiser if their key has proven it.
create unique index conversions_proven_order on conversions (user_id, order_hash) where order_hash is not null and is_proven;
create unique index conversions_order_of_click on conversions (decision_id, order_hash) where order_hash is not null;
create unique index conversions_without_order on conversions (decision_id) where order_hash is null;
create index conversions_orders on conversions (user_id, order_hash) where order_hash is not null;
create index conversions_decision on conversions (decision_id) where decision_id is not null;
create index conversions_ad on conversions (ad_id) include (value_cents);
create index conversions_creative on conversions (ad_id, creative) where creative is not null;
create index conversions_zone on conversions (zone_id);
-- For the mail of a week.
create index conversions_owner on conversions (user_id, converted_at);
create index conversions_open on conversions (converted_at) where decision_id is not null;

-- The key with which an advertiser proves their orders.
create table conversion_keys (
  user_id integer primary key references users on delete cascade,
  -- SHA-256.
  key_hash bytea not null unique,
  created_at timestamptz not null default now()
);

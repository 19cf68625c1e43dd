-- expand
-- The acts of visitors on the advertiser's page after a measured click (docs/decisions/097-conversions.md).
set local lock_timeout = '500ms';

create table conversions (
  id bigint generated always as identity primary key,
  ad_id integer not null references ads on delete cascade,
  zone_id integer not null,
  -- The advertiser, for the order numbers.
  user_id integer not null references users on delete cascade,
  -- The click. Null once its window is over.
  decision_id bytea,
  -- The SHA-256 of the order number. We do not keep the number itself. Null if none was sent.
  order_hash bytea,
  value_cents integer,
  converted_at timestamptz not null,
  constraint conversions_value check (value_cents between 0 and 100000000)
);
create unique index conversions_order on conversions (user_id, order_hash) where order_hash is not null;
create unique index conversions_without_order on conversions (decision_id) where order_hash is null;
create index conversions_decision on conversions (decision_id) where decision_id is not null;
create index conversions_ad on conversions (ad_id) include (value_cents);
create index conversions_zone on conversions (zone_id);
create index conversions_open on conversions (converted_at) where decision_id is not null;

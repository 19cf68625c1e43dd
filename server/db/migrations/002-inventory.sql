create extension if not exists pg_trgm;

create table websites (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  user_id integer not null references users on delete restrict,
  name text not null,
  url text not null,
  description text,
  category text not null,
  monthly_visitors integer not null default 0,
  -- The levels of domain/inventory/traffic.ts. A stored level makes a filter one key of an index instead of a range.
  traffic text not null generated always as (
    case when monthly_visitors >= 50000 then 'high' when monthly_visitors >= 10000 then 'medium' else 'low' end) stored,
  is_active boolean not null default true,
  -- When the tag first requested an ad from the site's own domain.
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint websites_name_present check (btrim(name) <> ''),
  constraint websites_visitors_not_negative check (monthly_visitors >= 0),
  constraint websites_category_known check (category in (
    'Technology', 'Business', 'Health', 'Lifestyle', 'Finance',
    'Education', 'Entertainment', 'Sports', 'Travel', 'Food'))
);
create index websites_owner on websites (user_id, id);
create index websites_by_category on websites (category, id desc) where is_active;
create index websites_by_traffic on websites (traffic, id desc) where is_active;
create index websites_by_category_and_traffic
  on websites (category, traffic, id desc) where is_active;
-- Every search would have to read the list of pending entries that `fastupdate` keeps, so it is off.
create index websites_search on websites
  using gin ((name || ' ' || coalesce(description, '') || ' ' || url) gin_trgm_ops)
  with (fastupdate = off) where is_active;

create table ad_zones (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  website_id integer not null references websites on delete restrict,
  name text not null,
  width integer not null,
  height integer not null,
  zone_type text not null,
  is_active boolean not null default true,
  -- The server hides a zone that has had ads instead of deleting its row. [OP-074]
  deleted_at timestamptz,
  -- When the tag last requested an ad from the site's own domain.
  tag_seen_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null while the zone is active. A pause extends the zone's per-day ads (server/ads/clock.ts).
  paused_at timestamptz,
  -- The house ad: the publisher's own, served where no paid ad is available. It is free and never counted.
  house_title text,
  house_description text,
  house_url text,
  constraint ad_zones_name_present check (btrim(name) <> ''),
  constraint ad_zones_size check (width between 1 and 5000 and height between 1 and 5000),
  constraint ad_zones_type_known check (zone_type in ('banner', 'rectangle', 'skyscraper', 'custom')),
  constraint ad_zones_deleted_is_inactive check (deleted_at is null or not is_active),
  constraint ad_zones_paused_is_inactive check (paused_at is null or not is_active),
  constraint ad_zones_house_ad_whole check (num_nulls(house_title, house_description, house_url) in (0, 3)),
  constraint ad_zones_house_url_secure check (house_url ~* '^https://')
);
create index ad_zones_website on ad_zones (website_id, id);

-- Each pricing model has its own amount and leaves the others null. This function is defined here and not in
-- server/db/functions, because a constraint uses it, and PostgreSQL does not check existing rows again when it changes.
create function plan_is_whole(pricing_model text, duration integer, impressions integer, clicks integer)
returns boolean language sql immutable as $$
  select case pricing_model
    when 'per_day' then duration >= 1 and impressions is null and clicks is null
    when 'per_impression' then impressions >= 1 and duration is null and clicks is null
    when 'per_click' then clicks >= 1 and duration is null and impressions is null
  end
$$;

create table ad_zone_products (
  id integer generated always as identity primary key,
  ad_zone_id integer not null references ad_zones on delete cascade,
  ad_type text not null,
  price numeric(10, 2) not null,
  pricing_model text not null default 'per_day',
  duration integer,
  impressions integer,
  clicks integer,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  constraint ad_zone_products_type_known check (ad_type in ('text', 'image', 'video')),
  constraint ad_zone_products_price_positive check (price > 0),
  constraint ad_zone_products_model_known check (pricing_model in ('per_day', 'per_impression', 'per_click')),
  constraint ad_zone_products_plan check (coalesce(plan_is_whole(pricing_model, duration, impressions, clicks), false))
);
create index ad_zone_products_zone on ad_zone_products (ad_zone_id, id);

-- The offers of publishers: websites and the proofs of their ownership, ad zones, and prices.

-- For exclusion constraints that compare numbers and texts, such as websites_one_owner.
create extension if not exists btree_gist;

create table websites (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  user_id integer not null references users on delete restrict,
  name text not null,
  -- Normalized (server/market/inventory/ownership/site-address.ts), so that the same host is the same text.
  url text not null,
  -- Names the site. 'www.' is the same site, unless nothing but a top-level domain would be left.
  host text generated always as (
    regexp_replace(lower(substring(url from '(?i)^https?://([^/?#]+)')), '^www\.(?=[^.]+\.)', '')) stored,
  description text,
  -- The readers of the website, in the publisher's own words.
  audience text,
  -- One of CATEGORIES, or one that the operator has retired since (server/market/inventory/categories/categories.ts).
  category text not null,
  -- Its picture or logo: '{sha256}.webp' of the re-encoded image (server/platform/media/square-picture.ts).
  picture text,
  monthly_visitors integer not null default 0,
  -- The levels of domain/inventory/traffic.ts. A stored level makes a filter one key of an index instead of a range.
  traffic text not null generated always as (
    case when monthly_visitors >= 50000 then 'high' when monthly_visitors >= 10000 then 'medium' else 'low' end) stored,
  is_active boolean not null default true,
  -- Whether the public catalogue has it.
  is_listed boolean not null default true,
  -- Null while the website is active. Like the pause of a zone, it extends per-day ads (server/ads/clock/clock.ts).
  paused_at timestamptz,
  -- The publisher puts it into the meta tag or the DNS record. A UUID has 122 random bits, and OWASP ASVS 5.0 asks for
  -- 128 (11.2.3), so it is made from two. Null once the account was deleted: nothing can verify the website any more.
  verification_token text default left(translate(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 40),
  -- Since when the ownership is proven: by the embed code or a meta tag on its home page, a line in its ads.txt or a
  -- DNS record, which our server reads itself, or by the operator. A request of the tag proves nothing, as any client
  -- can send it.
  verified_at timestamptz,
  -- When the operator vouched for the owner of a website. No proof is looked for then, and none can be lost.
  vouched_at timestamptz,
  -- With REVIEW_WEBSITES, the operator looks at a new website before it is offered
  -- (server/market/inventory/admission/admission.ts). Null: offered, as far as the review matters.
  review text,
  -- Since when it waits, or when it was refused.
  review_since timestamptz,
  -- The publisher reads it: the operator's question, or the reason of the refusal.
  review_text text,
  -- A suspension by the operator. The owner can read the reason.
  suspended_at timestamptz,
  suspended_reason text,
  -- What the website does not take. Advertisers read it before they write, and a submission is checked.
  refused_subjects text[] not null default '{}',
  -- Hosts in Punycode, without 'www.'. Their subdomains are refused, too.
  refused_domains text[] not null default '{}',
  refused_words text[] not null default '{}',
  -- When the publisher deleted the website. The row stays for the history of its ads.
  archived_at timestamptz,
  -- The name where a history needs it.
  shown_name text not null generated always as (
    case when archived_at is null then name else name || ' (archived)' end) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint websites_name_present check (btrim(name) <> ''),
  constraint websites_audience_present check (btrim(audience) <> ''),
  constraint websites_category_length check (char_length(category) between 1 and 40),
  constraint websites_picture_file check (picture ~ '^[0-9a-f]{64}\.webp$'),
  constraint websites_visitors_not_negative check (monthly_visitors >= 0),
  constraint websites_paused_is_inactive check (paused_at is null or not is_active),
  constraint websites_archived_is_inactive check (archived_at is null or not is_active),
  constraint websites_vouched_is_verified check (vouched_at is null or verified_at is not null),
  constraint websites_review_known check (review in ('waiting', 'hidden')),
  constraint websites_review check (
    (review is null) = (review_since is null)
    and (review_text is null or review is not null)
    and (review is distinct from 'hidden' or review_text is not null)),
  constraint websites_suspended_with_reason check (
    (suspended_at is null) = (coalesce(btrim(suspended_reason), '') = '')),
  -- Two accounts never hold the same verified site. One account may have several websites on it.
  constraint websites_one_owner exclude using gist (host with =, user_id with <>) where (verified_at is not null)
);
create index websites_owner on websites (user_id, id);
-- Finds the other accounts that claim a site.
create index websites_host on websites (host, user_id);
-- Websites on the same host compete for its page (server/platform/database/functions/market/website_page.sql). The expression is that of
-- server/platform/database/functions/market/page_host.sql.
create index websites_page on websites (regexp_replace(host, ':(80|443)$', ''), id);
-- The sitemap reads these in the order of their ids.
create index websites_in_sitemap on websites (id) where verified_at is not null and is_listed;
create index websites_by_category on websites (category, id desc) where is_active;
create index websites_by_traffic on websites (traffic, id desc) where is_active;
create index websites_by_category_and_traffic
  on websites (category, traffic, id desc) where is_active;
-- Every search would have to read the list of pending entries that `fastupdate` keeps, so it is off.
create index websites_search on websites
  using gin ((name || ' ' || coalesce(description, '') || ' ' || url) gin_trgm_ops)
  with (fastupdate = off) where is_active;
create index websites_operator_search on websites using gin ((name || ' ' || url) gin_trgm_ops);
-- The console's first page counts the websites that are new, and those that wait for their review.
create index websites_created on websites (created_at);
create index websites_waiting on websites (id) where review = 'waiting';

-- The result of the last search for a proof of ownership. A website has a row since its first check.
create table site_checks (
  website_id integer primary key references websites on delete cascade,
  -- The publisher's own last check. We look again for a few days, because a DNS record takes its time.
  requested_at timestamptz not null,
  checked_at timestamptz,
  -- Why each way proved nothing, as a sentence for the publisher; null if it proved the ownership.
  embed_code_problem text,
  ads_txt_problem text,
  meta_tag_problem text,
  dns_problem text,
  -- The first check without any proof since the last proof; null while there is a proof.
  failing_since timestamptz,
  -- When we e-mailed the publisher that the proof is missing.
  warned_at timestamptz,
  -- Null if the job does not check this website.
  next_check_at timestamptz
);
create index site_checks_due on site_checks (next_check_at) where next_check_at is not null;

-- A valid proof for a site that another account holds. The operator decides about such a claim.
create table ownership_claims (
  id integer generated always as identity primary key,
  website_id integer not null unique references websites on delete cascade,
  opened_at timestamptz not null,
  -- The operator decided for the other account. Null while the claim is open.
  refused_at timestamptz,
  reason text,
  constraint ownership_claims_refused_with_reason check (
    (refused_at is null) = (reason is null) and btrim(reason) <> '')
);
create index ownership_claims_open on ownership_claims (id) where refused_at is null;

create table ad_zones (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  website_id integer not null references websites on delete restrict,
  name text not null,
  width integer not null,
  height integer not null,
  zone_type text not null,
  -- How ads look in the zone: on the page itself ('plain') or on a card, and in the publisher's accent color. Without
  -- an accent, they have the page's own colors.
  look text not null default 'plain',
  accent text,
  -- The house ad: the publisher's own, served where no paid ad is available. It is free and never counted.
  house_title text,
  house_description text,
  house_url text,
  -- How many ads by the day can run at the same time (docs/decisions/069-booked-days.md). Null: no limit.
  slots integer,
  -- The days on which the publisher sells nothing by the day, each once and in order.
  blocked_days date[] not null default '{}',
  -- The visitors whom the zone excludes (docs/decisions/103-targeting.md), in the shape of domain/targeting/limits.ts.
  -- Null: nobody.
  excludes jsonb,
  is_active boolean not null default true,
  -- Null while the zone is active. A pause extends the zone's per-day ads (server/ads/clock/clock.ts).
  paused_at timestamptz,
  -- A suspension by the operator. The owner can read the reason.
  suspended_at timestamptz,
  suspended_reason text,
  -- The server hides a zone that has had ads instead of deleting its row. [OP-074]
  deleted_at timestamptz,
  -- When the tag last requested an ad from the site's own domain. It proves nothing about the owner.
  tag_seen_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint ad_zones_name_present check (btrim(name) <> ''),
  constraint ad_zones_size check (width between 1 and 5000 and height between 1 and 5000),
  constraint ad_zones_type_known check (zone_type in ('banner', 'rectangle', 'skyscraper', 'custom')),
  constraint ad_zones_look_known check (look in ('plain', 'card')),
  constraint ad_zones_accent_is_color check (accent ~ '^#[0-9a-f]{6}$'),
  constraint ad_zones_house_ad_whole check (num_nulls(house_title, house_description, house_url) in (0, 3)),
  constraint ad_zones_house_url_secure check (house_url ~* '^https://'),
  constraint ad_zones_slots check (slots between 1 and 100),
  constraint ad_zones_paused_is_inactive check (paused_at is null or not is_active),
  constraint ad_zones_deleted_is_inactive check (deleted_at is null or not is_active),
  constraint ad_zones_suspended_with_reason check (
    (suspended_at is null) = (coalesce(btrim(suspended_reason), '') = ''))
);
create index ad_zones_website on ad_zones (website_id, id);
create index ad_zones_operator_search on ad_zones using gin (name gin_trgm_ops);
-- The newest ad zones of a size, and of a type, whose prices are compared with those of a new one
-- (server/market/inventory/my-zones).
create index ad_zones_of_size on ad_zones (width, height, id desc) where is_active and deleted_at is null;
create index ad_zones_of_type on ad_zones (zone_type, id desc) where is_active and deleted_at is null;

-- Each pricing model has its own amount and leaves the others null. This function is defined here and not in
-- server/platform/database/functions, because a constraint uses it, and PostgreSQL does not check existing rows again when it changes.
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
  -- The price and the plan are those of one unit.
  price numeric(10, 2) not null,
  pricing_model text not null default 'per_day',
  duration integer,
  impressions integer,
  clicks integer,
  -- A quantity is min_quantity + n × step, and at most max_quantity.
  min_quantity integer not null default 1,
  max_quantity integer not null default 1,
  step integer not null default 1,
  -- [{"fromQuantity": 3, "price": "9.00"}]: rising quantities, falling prices of a unit (domain/inventory/quantity.ts).
  volume_prices jsonb not null default '[]',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  constraint ad_zone_products_type_known check (ad_type in ('text', 'image', 'video')),
  constraint ad_zone_products_price_positive check (price > 0),
  constraint ad_zone_products_model_known check (pricing_model in ('per_day', 'per_impression', 'per_click')),
  constraint ad_zone_products_plan check (coalesce(plan_is_whole(pricing_model, duration, impressions, clicks), false)),
  constraint ad_zone_products_quantities check (min_quantity between 1 and max_quantity and max_quantity <= 10000),
  constraint ad_zone_products_step check (step between 1 and 10000),
  constraint ad_zone_products_volume_prices check (jsonb_typeof(volume_prices) = 'array')
);
create index ad_zone_products_zone on ad_zone_products (ad_zone_id, id);

create table offer_pauses (
  id bigint generated always as identity primary key,
  -- No foreign key: the rows of a deleted subject say nothing any more, and are read by the subjects that exist.
  subject text not null,
  subject_id integer not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  constraint offer_pauses_subject_known check (subject in ('zone', 'website', 'person')),
  constraint offer_pauses_order check (began_at <= ended_at)
);
create index offer_pauses_subject on offer_pauses (subject, subject_id, ended_at);

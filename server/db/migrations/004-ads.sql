-- The triggers guard_ad, guard_new_ad and live_ad_is_paid (server/db/functions) refuse what these constraints cannot.
create table ads (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  user_id integer not null references users on delete restrict,
  ad_zone_id integer not null references ad_zones on delete restrict,
  product_id integer references ad_zone_products on delete set null,
  ad_type text not null,
  title text not null,
  description text not null,
  target_url text not null,
  image_url text,
  video_url text,
  status text not null default 'pending',
  rejection_reason text,
  -- Price, commission and plan are fixed at submission. [OP-050]
  total_amount numeric(10, 2) not null,
  commission_amount numeric(10, 2) not null,
  payment_intent_id text unique,
  pricing_model text not null,
  duration integer,
  impressions integer,
  clicks integer,
  -- The counters of what was delivered. Only count_events writes them (server/db/functions/count_events.sql).
  total_impressions integer not null default 0,
  total_clicks integer not null default 0,
  approved_at timestamptz,
  start_date timestamptz,
  end_date timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the current day of a per-day ad began. Null: at the ad's start (server/ads/clock.ts).
  day_began_at timestamptz,
  -- How many days in a row, up to now, the zone has had no ad request.
  silent_days integer not null default 0,
  -- Why the operator took the ad down. The advertiser and the publisher can read it. The ad never runs again.
  taken_down_reason text,
  constraint ads_type_known check (ad_type in ('text', 'image', 'video')),
  constraint ads_status_known check (status in ('pending', 'approved', 'rejected', 'active', 'completed')),
  constraint ads_title check (btrim(title) <> '' and length(title) <= 100),
  constraint ads_description check (btrim(description) <> '' and length(description) <= 500),
  constraint ads_image_present check (ad_type <> 'image' or image_url is not null),
  constraint ads_rejected_has_reason check ((status = 'rejected') = (coalesce(btrim(rejection_reason), '') <> '')),
  constraint ads_price check (total_amount > 0 and commission_amount between 0 and total_amount),
  -- The text of plan_is_whole, written out: PostgreSQL would parse the function again in every statement that writes
  -- an ad, and counting does so all the time.
  constraint ads_plan check (coalesce(
    case pricing_model
      when 'per_day' then duration >= 1 and impressions is null and clicks is null
      when 'per_impression' then impressions >= 1 and duration is null and clicks is null
      when 'per_click' then clicks >= 1 and duration is null and impressions is null
    end, false)),
  constraint ads_live_is_paid check (status not in ('active', 'completed') or payment_intent_id is not null),
  constraint ads_live_has_start check ((status in ('active', 'completed')) = (start_date is not null)),
  constraint ads_per_day_has_end check (status <> 'active' or pricing_model <> 'per_day' or end_date is not null),
  constraint ads_impressions_within_goal check (
    total_impressions >= 0 and (pricing_model <> 'per_impression' or total_impressions <= impressions)),
  constraint ads_clicks_within_goal check (
    total_clicks >= 0 and (pricing_model <> 'per_click' or total_clicks <= clicks)),
  constraint ads_silent_days_not_negative check (silent_days >= 0),
  constraint ads_taken_down_is_over check (
    taken_down_reason is null or (status = 'completed' and btrim(taken_down_reason) <> '' and length(taken_down_reason) <= 500))
);
create index ads_owner on ads (user_id, id desc);
create index ads_zone on ads (ad_zone_id, status);
create index ads_pending on ads (ad_zone_id, id) where status = 'pending';
create index ads_live on ads (ad_zone_id) where status = 'active';
create index ads_ending on ads (end_date) where status = 'active' and end_date is not null;
create index ads_awaiting_payment on ads (approved_at) where status = 'approved';
create index ads_paid on ads (ad_zone_id, start_date desc) where start_date is not null;
create index ads_image on ads (user_id, image_url);
create index ads_days on ads (coalesce(day_began_at, start_date))
  where status = 'active' and pricing_model = 'per_day';

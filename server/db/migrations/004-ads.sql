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
  -- Price, fee and plan are fixed at submission (OP-050).
  total_amount numeric(10, 2) not null,
  commission_amount numeric(10, 2) not null,
  payment_intent_id text unique,
  pricing_model text not null,
  duration integer,
  impressions integer,
  clicks integer,
  -- Delivered and counted; written by the counting statement only.
  total_impressions integer not null default 0,
  total_clicks integer not null default 0,
  approved_at timestamptz,
  start_date timestamptz,
  end_date timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint ads_type_known check (ad_type in ('text', 'image', 'video')),
  constraint ads_status_known check (status in ('pending', 'approved', 'rejected', 'active', 'completed')),
  constraint ads_title check (btrim(title) <> '' and length(title) <= 100),
  constraint ads_description check (btrim(description) <> '' and length(description) <= 500),
  constraint ads_image_present check (ad_type <> 'image' or image_url is not null),
  constraint ads_rejected_has_reason check ((status = 'rejected') = (coalesce(btrim(rejection_reason), '') <> '')),
  constraint ads_price check (total_amount > 0 and commission_amount between 0 and total_amount),
  constraint ads_plan check (coalesce(plan_is_whole(pricing_model, duration, impressions, clicks), false)),
  constraint ads_live_is_paid check (status not in ('active', 'completed') or payment_intent_id is not null),
  constraint ads_live_has_start check ((status in ('active', 'completed')) = (start_date is not null)),
  constraint ads_per_day_has_end check (status <> 'active' or pricing_model <> 'per_day' or end_date is not null),
  constraint ads_impressions_within_goal check (
    total_impressions >= 0 and (pricing_model <> 'per_impression' or total_impressions <= impressions)),
  constraint ads_clicks_within_goal check (
    total_clicks >= 0 and (pricing_model <> 'per_click' or total_clicks <= clicks))
);
create index ads_owner on ads (user_id, id desc);
create index ads_zone on ads (ad_zone_id, status);
create index ads_pending on ads (ad_zone_id, id) where status = 'pending';
create index ads_live on ads (ad_zone_id) where status = 'active';
create index ads_ending on ads (end_date) where status = 'active' and end_date is not null;
create index ads_awaiting_payment on ads (approved_at) where status = 'approved';
create index ads_paid on ads (ad_zone_id, start_date desc) where start_date is not null;
create index ads_image on ads (user_id, image_url);

-- What must never be is refused here, whoever asks: a move the state table does not know, and a change of what was
-- approved. An ad is changed only on its way from rejected back to pending.
create function guard_ad() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and (old.status, new.status) not in (
    ('pending', 'approved'), ('pending', 'rejected'), ('rejected', 'pending'),
    ('approved', 'active'), ('approved', 'rejected'), ('active', 'completed'))
  then
    raise exception 'an ad cannot go from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  if (new.user_id, new.ad_zone_id, new.ad_type, new.total_amount, new.commission_amount, new.pricing_model,
      new.duration, new.impressions, new.clicks)
    is distinct from
    (old.user_id, old.ad_zone_id, old.ad_type, old.total_amount, old.commission_amount, old.pricing_model,
      old.duration, old.impressions, old.clicks)
  then
    raise exception 'the price and plan of an ad are fixed' using errcode = 'check_violation';
  end if;
  if (new.title, new.description, new.target_url, new.image_url, new.video_url)
    is distinct from (old.title, old.description, old.target_url, old.image_url, old.video_url)
    and not (old.status = 'rejected' and new.status = 'pending')
  then
    raise exception 'an ad is changed only when it is resubmitted' using errcode = 'check_violation';
  end if;
  if old.payment_intent_id is not null
    and (new.payment_intent_id, new.start_date) is distinct from (old.payment_intent_id, old.start_date)
  then
    raise exception 'the payment of an ad is fixed' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_ad before update on ads for each row execute function guard_ad();

-- An ad begins unreviewed, unpaid and unseen, whoever writes it.
create function guard_new_ad() returns trigger language plpgsql as $$
begin
  if new.status <> 'pending' or new.payment_intent_id is not null
    or new.total_impressions <> 0 or new.total_clicks <> 0
  then
    raise exception 'a new ad is pending, unpaid and unseen' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_new_ad before insert on ads for each row execute function guard_new_ad();

-- Counted impressions and clicks, one row per ad and UTC day.
create table ad_performance (
  id integer generated always as identity primary key,
  ad_id integer not null references ads on delete cascade,
  impressions integer not null default 0,
  clicks integer not null default 0,
  date date not null,
  constraint ad_performance_day unique (ad_id, date),
  constraint ad_performance_not_negative check (impressions >= 0 and clicks >= 0)
);

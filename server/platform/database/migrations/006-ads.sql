-- Ads, the plans and second creatives that they belong to, the days of those that are paid per day, and the pages that they
-- lead to.

-- Plans: several ads that an advertiser submits together, with one creative (docs/decisions/069-booked-days.md).
create table plans (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  user_id integer not null references users on delete cascade,
  -- The advertiser's own id of the submission, so that a repeated one makes no second plan.
  request_id uuid not null,
  -- SHA-256 of the submitted body. The same request_id with another body is refused.
  body_hash bytea not null,
  name text not null,
  created_at timestamptz not null default now(),
  constraint plans_once unique (user_id, request_id),
  constraint plans_name check (btrim(name) <> '' and length(name) <= 100)
);
create index plans_owner on plans (user_id, id desc);

-- The triggers guard_ad, guard_new_ad and live_ad_is_paid (server/platform/database/functions) refuse what these constraints cannot.
create table ads (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  user_id integer not null references users on delete restrict,
  ad_zone_id integer not null references ad_zones on delete restrict,
  product_id integer references ad_zone_products on delete set null,
  plan_id integer references plans on delete set null,

  -- The creative. It is fixed once the publisher has approved it.
  ad_type text not null,
  title text not null,
  description text not null,
  target_url text not null,
  image_url text,
  video_url text,
  -- The number of the submission, from 1. Each resubmission has a new one, so that a publisher approves only what they
  -- saw.
  version integer not null default 1,
  -- Whether clicks lead to the target with a token, whose landing the advertiser reports
  -- (docs/decisions/025-landings.md). The target address itself stays as the publisher approved it.
  measures_landings boolean not null default false,
  -- Where and to whom the ad is shown (docs/decisions/103-targeting.md), in the shape of domain/targeting/limits.ts.
  -- Null: everybody.
  targeting jsonb,

  -- Price, commission and plan are fixed at submission, for the whole quantity. [OP-050]
  total_amount numeric(10, 2) not null,
  commission_amount numeric(10, 2) not null,
  commission_percent numeric(4, 2) not null default 15,
  quantity integer not null default 1,
  pricing_model text not null,
  duration integer,
  impressions integer,
  clicks integer,
  payment_intent_id text unique,

  status text not null default 'pending',
  rejection_reason text,
  approved_at timestamptz,
  -- The advertiser withdrew the ad before it was paid. A resubmission clears it.
  withdrawn_at timestamptz,
  -- When the ad was last submitted, from which the publisher's answer time counts.
  review_since timestamptz not null default now(),
  -- When a pending ad is rejected without an answer. Null with APPROVAL_DAYS of 0.
  answer_due_at timestamptz,
  -- When the publisher of a pending ad is reminded next. Null after the last reminder.
  remind_at timestamptz,
  -- The day (UTC) on which the ad starts at the earliest: the advertiser has chosen it, or it was the first one on which
  -- all days of the ad were free. Null: it starts when it is paid. start_date stays null until the payment.
  chosen_start date,
  start_date timestamptz,
  end_date timestamptz,
  -- Why the ad ended. Null until it is completed.
  ended_reason text,
  -- Why the operator took the ad down. The advertiser and the publisher can read it. The ad never runs again.
  taken_down_reason text,

  -- The counters of what was delivered. Only count_events writes them (server/platform/database/functions/delivery/count_events.sql).
  total_impressions integer not null default 0,
  total_clicks integer not null default 0,

  -- When the current day of a per-day ad began. Null: at the ad's start (server/ads/clock/clock.ts).
  day_began_at timestamptz,
  -- The start of the views of the current day, if a pause has moved day_began_at. Null: at day_began_at.
  day_counts_from timestamptz,
  -- The counted views that a day of this per-day ad needs, set at the payment under the traffic rules of production.
  -- Null: a day with one valid ad request counts (docs/decisions/054-delivered-days.md).
  min_day_views integer,
  -- How many days in a row, up to now, were silent.
  silent_days integer not null default 0,
  -- When we told both sides about the present series of silent days.
  silence_told_at timestamptz,
  -- When the tag's silence began, if it has lasted for 72 hours. The ad is paused by it.
  tag_silent_since timestamptz,
  -- The end of the ad's last pause, suspension or dispute. The silence of its tag counts from then on at the earliest.
  resumed_at timestamptz,

  -- Each of the following keeps the ad from being shown, and its clock stands meanwhile (ad_held_since).
  suspended_at timestamptz,
  suspended_reason text,
  disputed_at timestamptz,
  -- The target leads to another host than the approved one or to a known phishing host, or is not public
  -- (docs/decisions/053-targets.md).
  target_paused_at timestamptz,
  target_paused_for text,
  -- Since when the advertiser's cancel waits for the operator (docs/decisions/030-refunds.md).
  cancel_asked_at timestamptz,

  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint ads_type_known check (ad_type in ('text', 'image', 'video')),
  constraint ads_title check (btrim(title) <> '' and length(title) <= 100),
  constraint ads_description check (btrim(description) <> '' and length(description) <= 500),
  constraint ads_image_present check (ad_type <> 'image' or image_url is not null),
  -- A video elsewhere could be changed after the approval, and its host would see every visitor.
  constraint ads_video_is_upload check (video_url ~ '^/ad-images/[A-Za-z0-9_-]{22,64}$'),
  constraint ads_version_positive check (version >= 1),
  constraint ads_price check (total_amount > 0 and commission_amount between 0 and total_amount),
  constraint ads_commission_percent check (commission_percent between 0 and 50),
  constraint ads_quantity check (quantity between 1 and 10000),
  -- The text of plan_is_whole, written out: PostgreSQL would parse the function again in every statement that writes an
  -- ad, and counting does so all the time.
  constraint ads_plan check (coalesce(
    case pricing_model
      when 'per_day' then duration >= 1 and impressions is null and clicks is null
      when 'per_impression' then impressions >= 1 and duration is null and clicks is null
      when 'per_click' then clicks >= 1 and duration is null and impressions is null
    end, false)),
  constraint ads_status_known check (status in ('pending', 'approved', 'rejected', 'active', 'completed')),
  constraint ads_rejected_has_reason check ((status = 'rejected') = (coalesce(btrim(rejection_reason), '') <> '')),
  constraint ads_withdrawn_is_rejected check (withdrawn_at is null or status = 'rejected'),
  constraint ads_live_is_paid check (status not in ('active', 'completed') or payment_intent_id is not null),
  constraint ads_live_has_start check ((status in ('active', 'completed')) = (start_date is not null)),
  constraint ads_per_day_has_end check (status <> 'active' or pricing_model <> 'per_day' or end_date is not null),
  constraint ads_ended_reason_known check (ended_reason in (
    'delivered', 'canceled', 'taken_down', 'tag_silent', 'quota_unfinished', 'publisher_suspended', 'fraud_warning',
    'operator', 'target_refused')),
  constraint ads_completed_with_reason check ((ended_reason is not null) = (status = 'completed')),
  constraint ads_taken_down_is_over check (
    taken_down_reason is null
    or (status = 'completed' and btrim(taken_down_reason) <> '' and length(taken_down_reason) <= 500)),
  constraint ads_impressions_within_goal check (
    total_impressions >= 0 and (pricing_model <> 'per_impression' or total_impressions <= impressions)),
  constraint ads_clicks_within_goal check (
    total_clicks >= 0 and (pricing_model <> 'per_click' or total_clicks <= clicks)),
  constraint ads_min_day_views check (
    min_day_views is null or (min_day_views >= 1 and pricing_model = 'per_day')),
  constraint ads_silent_days_not_negative check (silent_days >= 0),
  constraint ads_suspended_with_reason check (
    (suspended_at is null) = (coalesce(btrim(suspended_reason), '') = '')),
  constraint ads_target_paused_for_known check (target_paused_for in ('changed', 'listed', 'not_public')),
  constraint ads_target_paused_with_reason check ((target_paused_at is null) = (target_paused_for is null))
);
create index ads_owner on ads (user_id, id desc);
create index ads_of_plan on ads (plan_id, id) where plan_id is not null;
create index ads_image on ads (user_id, image_url);
-- For the quota of ads that wait for approval.
create index ads_pending_owner on ads (user_id) where status = 'pending';
-- An advertiser's ads that wait for their payment or for a change.
create index ads_waiting_owner on ads (user_id) where status in ('approved', 'rejected');
create index ads_zone on ads (ad_zone_id, status);
create index ads_pending on ads (ad_zone_id, id) where status = 'pending';
create index ads_live on ads (ad_zone_id) where status = 'active';
-- The advertisers with running ads.
create index ads_running_owner on ads (user_id, start_date) where status = 'active';
create index ads_paid on ads (ad_zone_id, start_date desc) where start_date is not null;
create index ads_target_paused on ads (ad_zone_id) where target_paused_at is not null;
create index ads_operator_search on ads
  using gin ((title || ' ' || description || ' ' || target_url) gin_trgm_ops);
-- For the console's first page.
create index ads_approved on ads (approved_at) where approved_at is not null;
-- For the jobs that end ads, judge their days and tell about their silence.
create index ads_awaiting_payment on ads (approved_at) where status = 'approved';
create index ads_answer_due on ads (answer_due_at) where status = 'pending' and answer_due_at is not null;
create index ads_remind on ads (remind_at) where status = 'pending' and remind_at is not null;
create index ads_ending on ads (end_date) where status = 'active' and end_date is not null;
create index ads_quota_running on ads (start_date) where status = 'active' and pricing_model <> 'per_day';
create index ads_tag_silent on ads (tag_silent_since) where status = 'active' and tag_silent_since is not null;
create index ads_days on ads (coalesce(day_began_at, start_date))
  where status = 'active' and pricing_model = 'per_day';
create index ads_without_day_views on ads (id)
  where status = 'active' and pricing_model = 'per_day' and min_day_views is null;
create index ads_silence_untold on ads (id)
  where status = 'active' and silent_days >= 2 and min_day_views is not null and silence_told_at is null;

-- A second creative of a campaign, shown in turn with its first one (docs/decisions/071-review-clock.md). The first one is
-- the ad itself. Money, budget, times and stops are the ad's, whichever creative was shown.
create table ad_variants (
  -- From the sequence of the ads, so that a number names either an ad or a second creative.
  id integer primary key default nextval('ads_id_seq'),
  public_id uuid not null unique default gen_random_uuid(),
  ad_id integer not null references ads on delete cascade,
  -- The second creatives of an ad are numbered from 1. An event names its creative: 2 * number for this one, and
  -- 2 * number - 1 for the first one while both are shown.
  number smallint not null,
  title text not null,
  description text not null,
  target_url text not null,
  image_url text,
  video_url text,
  status text not null default 'pending',
  rejection_reason text,
  created_at timestamptz not null,
  -- When the publisher decided. Null while it is pending, or if it was removed before.
  decided_at timestamptz,
  -- When the advertiser took it away, or when its target led to another place.
  removed_at timestamptz,
  removed_for text,

  -- Where its target leads, as in target_checks.
  final_host text,
  approved_host text,
  checked_at timestamptz,
  check_due_at timestamptz,
  elsewhere_since timestamptz,

  unique (ad_id, number),
  constraint ad_variants_number check (number between 1 and 8),
  constraint ad_variants_title check (btrim(title) <> '' and length(title) <= 100),
  constraint ad_variants_description check (btrim(description) <> '' and length(description) <= 500),
  constraint ad_variants_video_is_upload check (video_url ~ '^/ad-images/[A-Za-z0-9_-]{22,64}$'),
  constraint ad_variants_status_known check (status in ('pending', 'approved', 'rejected', 'removed')),
  constraint ad_variants_rejected_has_reason check (
    (status = 'rejected') = (coalesce(btrim(rejection_reason), '') <> '')),
  constraint ad_variants_removed_with_reason check (
    (status = 'removed') = (removed_at is not null) and (removed_at is null) = (removed_for is null)),
  constraint ad_variants_removed_for_known check (
    removed_for in ('advertiser', 'changed', 'listed', 'not_public'))
);
-- An ad has at most one second creative that waits or is shown.
create unique index ad_variants_open on ad_variants (ad_id) where status in ('pending', 'approved');
create index ad_variants_pending on ad_variants (id) where status = 'pending';
create index ad_variants_check_due on ad_variants (check_due_at, id) where check_due_at is not null;
create index ad_variants_image on ad_variants (image_url) where image_url is not null;
create index ad_variants_video on ad_variants (video_url) where video_url is not null;

-- The 24-hour days of per-day ads that are over, by the ad's own clock. The last one is shorter if the ad ended early.
-- Withdrawn views can make a delivered day silent (server/platform/database/functions/invalid-traffic/adjust_counters.sql).
create table ad_days (
  ad_id integer not null references ads on delete cascade,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  -- The views of the day are those of the hours that end after this time and until ended_at.
  counts_from timestamptz not null,
  min_views integer not null,
  is_silent boolean not null,
  primary key (ad_id, began_at),
  constraint ad_days_order check (counts_from <= began_at and began_at < ended_at)
);

-- Where the target of an ad leads (docs/decisions/053-targets.md). It is fetched after each submission and then daily,
-- while the ad can be shown. Hosts leave 'www.' out, as websites.host does.
create table target_checks (
  ad_id integer primary key references ads on delete cascade,
  -- The host of the target itself.
  host text not null,
  -- Its registrable domain. Invented hosts of one domain count as one in the limits of checks.
  domain text,
  -- The last answer, after all redirects.
  final_host text,
  content_hash bytea,
  -- The first host on the way that is a known phishing host.
  listed_host text,
  -- Why the last try got no page. Null if it got one.
  problem text,
  -- The answer that the publisher approved.
  approved_host text,
  approved_hash bytea,
  -- Since when the approved target leads elsewhere, as far as the looks at it know. Only a second look, minutes after the
  -- first, pauses the ad.
  elsewhere_since timestamptz,
  checked_at timestamptz,
  -- When it is fetched next. Null for an ad that is over.
  due_at timestamptz
);
create index target_checks_due on target_checks (due_at, ad_id) where due_at is not null;

-- When the tag of each running ad is looked at next, to find the silent ones. An ad that is paused because of its tag has
-- no row. The trigger note_tag_look adds and removes the rows.
create table tag_looks (
  ad_id integer primary key references ads on delete cascade,
  look_at timestamptz not null
);
create index tag_looks_due on tag_looks (look_at, ad_id);

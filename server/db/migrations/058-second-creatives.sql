-- expand
-- A second creative of a campaign, shown in turn with its first one (docs/decisions/106-two-creatives.md).
set local lock_timeout = '500ms';

-- The first creative is the ad itself. Money, budget, times and stops are the ad's, whichever creative was shown.
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

-- The creative that an event was of; null if the ad had only one at its decision.
alter table ad_events add column creative smallint;
alter table measured_clicks add column creative smallint;
alter table conversions add column creative smallint;
create index conversions_creative on conversions (ad_id, creative) where creative is not null;

-- What was counted of each creative while two of them were shown.
create table creative_counts (
  ad_id integer not null references ads on delete cascade,
  creative smallint not null,
  kind text not null,
  n bigint not null,
  primary key (ad_id, creative, kind),
  constraint creative_counts_kind_known check (kind in ('view', 'click', 'landing')),
  constraint creative_counts_not_negative check (n >= 0)
);

-- The second creative that a visitor reported; null for the ad itself.
alter table ad_reports add column variant_id integer references ad_variants on delete set null;
create index ad_reports_variant on ad_reports (variant_id) where variant_id is not null;

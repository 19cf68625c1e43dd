-- A day of a per-day ad is delivered if it has enough counted views (docs/decisions/054-delivered-days.md).
alter table ads
  -- The counted views that a day of this per-day ad needs. It is set at the payment, under the traffic rules of
  -- production. Null: a day with one valid ad request counts.
  add column min_day_views integer,
  -- The start of the views of the current day, if a hold has moved day_began_at. Null: at day_began_at.
  add column day_counts_from timestamptz,
  -- When both sides were told about the present series of silent days.
  add column silence_told_at timestamptz,
  add constraint ads_min_day_views check (
    min_day_views is null or (min_day_views >= 1 and pricing_model = 'per_day'));

-- The per-day ads that were paid under an earlier rule (server/ads/clock-store.ts).
create index ads_without_day_views on ads (id)
  where status = 'active' and pricing_model = 'per_day' and min_day_views is null;
create index ads_silence_untold on ads (id)
  where status = 'active' and silent_days >= 2 and min_day_views is not null and silence_told_at is null;

-- The 24-hour days of per-day ads that are over, by the ad's own clock. The last one is shorter if the ad ended early.
-- Withdrawn views can make a delivered day silent (server/db/functions/adjust_counters.sql).
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

alter table ad_earnings
  -- The units of a per-day ad that ended before a withdrawal changed its days. Null: no withdrawal did.
  add column settled_units bigint,
  add constraint ad_earnings_settled_units check (settled_units between 0 and bought);

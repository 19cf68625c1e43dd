-- Whether a day of a per-day ad was silent between two times: it had fewer counted views than it needs, or its ad zone had no
-- valid ad request or view. The second holds for an ad without such a number, and for a day that its advertiser's pause touches.
-- daysDelivered in domain/ads/delivered.ts says the same of days that no job has judged yet;
-- server/money/ledger/silent-days.test.ts compares the two.
create or replace function is_day_silent(
  ad integer, zone integer, min_views integer, from_time timestamptz, to_time timestamptz)
returns boolean language sql stable as $$
  select case when min_views is null or is_day_paused(ad, from_time, to_time)
    then not was_requested(zone, from_time, to_time)
    else net_views(ad, from_time, to_time) < min_views end
$$;

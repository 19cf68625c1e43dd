-- Whether an ad cannot be shown because of itself: the operator has suspended it or its advertiser, its payment is
-- disputed, its target leads somewhere else than approved, its cancel waits for the operator, or its advertiser has paused it.
create or replace function is_ad_blocked(a ads, advertiser users) returns boolean language sql immutable as $$
  select a.suspended_at is not null or advertiser.suspended_at is not null
    or a.disputed_at is not null or a.target_paused_at is not null
    or a.cancel_asked_at is not null or a.advertiser_paused_at is not null
$$;

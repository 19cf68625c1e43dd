-- Since when an ad cannot be shown, because its zone is paused, its website is hidden, something is suspended, its
-- payment is disputed, its target leads somewhere else or its cancel waits. Null if it can: an ad that is shown is not
-- paused. The clock of a per-day ad stands still from then on (server/ads/clock/clock-store.ts).
create or replace function ad_held_since(ad integer) returns timestamptz language sql stable as $$
  select least(z.paused_at, w.paused_at, ad_suspended_since(a.id), a.disputed_at, a.target_paused_at, a.cancel_asked_at)
    from ads a
    join users advertiser on advertiser.id = a.user_id
    join ad_zones z on z.id = a.ad_zone_id
    join websites w on w.id = z.website_id
    join users publisher on publisher.id = w.user_id
    where a.id = ad and not is_ad_shown(a, advertiser, z, w, publisher)
$$;

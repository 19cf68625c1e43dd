-- Since when something else than its advertiser keeps an ad from being shown. Null if nothing does. The clock of a per-day ad
-- stands still from then on (server/ads/clock/clock-store.ts). Two causes do not stop it: a silent tag, because the days are
-- judged by their requests, and the advertiser's own pause, because the place stays theirs.
create or replace function ad_held_since(ad integer) returns timestamptz language sql stable as $$
  select min(since) from ad_pauses(ad) where cause not in ('tag_silent', 'advertiser')
$$;

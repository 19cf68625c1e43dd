-- Since when an ad cannot be shown, whatever the cause. Null if it can. The clock of a per-day ad stands still from then on
-- (server/ads/clock/clock-store.ts). A silent tag does not stop it: its days are judged by their requests.
create or replace function ad_held_since(ad integer) returns timestamptz language sql stable as $$
  select min(since) from ad_pauses(ad) where cause <> 'tag_silent'
$$;

-- Why a live ad is not served, and since when, in the order of PAUSES (domain/ads/ended.ts): the lowest `place` weighs most. No
-- row if it is served. A tag that requests no ads is a pause, too, although the ad would be shown.
create or replace function ad_pauses(ad integer)
returns table (place integer, cause text, since timestamptz) language sql stable as $$
  select p.place, p.cause, p.since
    from ads a
    join users advertiser on advertiser.id = a.user_id
    join ad_zones z on z.id = a.ad_zone_id
    join websites w on w.id = z.website_id
    join users publisher on publisher.id = w.user_id
    cross join lateral (values
      (1, 'dispute', a.disputed_at),
      (2, 'suspended', ad_suspended_since(a.id)),
      (3, 'target', a.target_paused_at),
      (4, 'cancel', a.cancel_asked_at),
      (5, 'zone', least(z.paused_at, w.paused_at)),
      (6, 'tag_silent', a.tag_silent_since),
      (7, 'advertiser', a.advertiser_paused_at)) as p (place, cause, since)
    where a.id = ad and p.since is not null
      and (p.cause = 'tag_silent' or not is_ad_shown(a, advertiser, z, w, publisher))
$$;

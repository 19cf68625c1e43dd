-- Since when an ad is suspended: by itself, with its advertiser, or with its zone. Null if it is not.
create or replace function ad_suspended_since(ad integer) returns timestamptz language sql stable as $$
  select least(a.suspended_at, u.suspended_at, zone_suspended_since(a.ad_zone_id))
    from ads a join users u on u.id = a.user_id
    where a.id = ad
$$;

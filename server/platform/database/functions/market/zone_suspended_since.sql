-- Since when a zone is suspended: by itself, with its website or with its publisher. Null if it is not. A zone that is
-- offered is not suspended.
create or replace function zone_suspended_since(zone integer) returns timestamptz language sql stable as $$
  select least(z.suspended_at, w.suspended_at, publisher.suspended_at)
    from ad_zones z join websites w on w.id = z.website_id join users publisher on publisher.id = w.user_id
    where z.id = zone and not is_zone_offered(z, w, publisher)
$$;

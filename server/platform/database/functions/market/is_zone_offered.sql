-- Whether an ad zone is sold and serves ads: it is neither paused, deleted nor suspended, and its website is offered.
create or replace function is_zone_offered(z ad_zones, w websites, publisher users)
returns boolean language sql immutable as $$
  select z.is_active and z.deleted_at is null and z.suspended_at is null and is_website_offered(w, publisher)
$$;

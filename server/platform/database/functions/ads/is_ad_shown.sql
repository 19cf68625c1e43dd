-- Whether the ad server shows an ad now. An end that has passed is not considered, because that needs the time.
create or replace function is_ad_shown(a ads, advertiser users, z ad_zones, w websites, publisher users)
returns boolean language sql immutable as $$
  select a.status = 'active' and not is_ad_blocked(a, advertiser) and is_zone_offered(z, w, publisher)
$$;

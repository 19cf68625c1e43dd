-- The publisher's own ad: shown where no paid one is, free, and never counted.
alter table ad_zones
  add column house_title text,
  add column house_description text,
  add column house_url text,
  add constraint ad_zones_house_ad_whole check (
    num_nulls(house_title, house_description, house_url) in (0, 3)),
  add constraint ad_zones_house_url_secure check (house_url ~* '^https://');

-- As before (007-delivery.sql), and for the publisher's own ad.
drop trigger note_zone_changing on ad_zones;
create trigger note_zone_changing after update on ad_zones
  for each row when (
    (old.website_id, old.is_active, old.deleted_at, old.house_title, old.house_description, old.house_url)
      is distinct from
      (new.website_id, new.is_active, new.deleted_at, new.house_title, new.house_description, new.house_url))
  execute function note_zone_change();

-- The newest ad zones of a size, and of a type, whose prices are compared with those of a new one (server/inventory/my-zones).
create index ad_zones_of_size on ad_zones (width, height, id desc) where is_active and deleted_at is null;
create index ad_zones_of_type on ad_zones (zone_type, id desc) where is_active and deleted_at is null;

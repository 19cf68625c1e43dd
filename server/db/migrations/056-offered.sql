-- The ad server reads the zones that are offered and the ads that are shown (server/db/functions/is_zone_offered.sql and
-- is_ad_shown.sql), and the marketplace looks up the publisher of each website.
drop view delivery_zones, delivery_ads;
drop index users_suspended;

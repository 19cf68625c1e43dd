-- How ads look in a zone: on the page itself ('plain') or on a card, and in the publisher's accent color.
-- Null: the ad has the page's own colors.
alter table ad_zones
  add column look text not null default 'plain' constraint ad_zones_look_known check (look in ('plain', 'card')),
  add column accent text constraint ad_zones_accent_is_color check (accent ~ '^#[0-9a-f]{6}$');

-- The ad server keeps these two views in memory: every zone that may show ads, with its cheapest price, and every
-- active ad.
create view delivery_zones as
  select z.id, z.public_id, z.tag_seen_at,
      w.id as website_id, w.public_id as website_public_id, w.url as website_url, w.monthly_visitors, w.verified_at,
      offer.price, offer.pricing_model, offer.duration, offer.impressions, offer.clicks
    from ad_zones z
    join websites w on w.id = z.website_id
    left join lateral (
      select p.price, p.pricing_model, p.duration, p.impressions, p.clicks
        from ad_zone_products p
        where p.ad_zone_id = z.id and p.is_active
        order by p.price, p.id
        limit 1) as offer on true
    where z.is_active and z.deleted_at is null and w.is_active;

create view delivery_ads as
  select a.id, a.public_id, a.ad_zone_id, a.ad_type, a.title, a.description, a.target_url,
      a.pricing_model, a.impressions, a.clicks, a.total_impressions, a.total_clicks, a.start_date, a.end_date,
      a.image_url, image.rendition as image_rendition, image.width as image_width, image.height as image_height,
      a.video_url, video.rendition as video_rendition, video.width as video_width, video.height as video_height
    from ads a
    left join uploads image on a.image_url like '/ad-images/%' and image.name = substr(a.image_url, 12)
    left join uploads video on a.video_url like '/ad-images/%' and video.name = substr(a.video_url, 12)
    where a.status = 'active';

-- The zones whose ads, prices or settings changed, written by the triggers note_* (server/db/functions). Each instance
-- of the server reads the rows of transactions that it has not seen yet, and NOTIFY tells it when to look. Writers only
-- insert, so they never wait for each other here.
create table delivery_changes (
  zone_id integer not null,
  xid xid8 not null default pg_current_xact_id(),
  -- Only the job that deletes old rows reads it.
  changed_at timestamptz not null default now()
);
create index delivery_changes_xid on delivery_changes (xid);

-- Notes that the ads or prices of a zone have changed.
create or replace function note_offer_change() returns trigger language plpgsql as $$
begin
  perform note_delivery_change(case when tg_op = 'DELETE' then old.ad_zone_id else new.ad_zone_id end);
  return null;
end
$$;

create or replace trigger note_ad_starting after insert on ads
  for each row when (new.status = 'active') execute function note_offer_change();

create or replace trigger note_ad_changing after update of
    status, end_date, title, description, target_url, image_url, video_url, suspended_at,
    disputed_at, target_paused_at, cancel_asked_at, advertiser_paused_at,
    measures_landings
  on ads for each row when (
    (old.status = 'active' or new.status = 'active')
    and (old.status, old.end_date, old.title, old.description, old.target_url, old.image_url, old.video_url,
        old.suspended_at, old.disputed_at, old.target_paused_at, old.cancel_asked_at,
        old.advertiser_paused_at, old.measures_landings)
      is distinct from
      (new.status, new.end_date, new.title, new.description, new.target_url, new.image_url, new.video_url,
        new.suspended_at, new.disputed_at, new.target_paused_at, new.cancel_asked_at,
        new.advertiser_paused_at, new.measures_landings))
  execute function note_offer_change();

create or replace trigger note_ad_removal after delete on ads
  for each row when (old.status = 'active') execute function note_offer_change();

create or replace trigger note_product_change after insert or update or delete on ad_zone_products
  for each row execute function note_offer_change();

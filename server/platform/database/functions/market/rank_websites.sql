-- Writes the figures by which the marketplace sorts these websites. A website without a change is not written.
-- The price of 1,000 views is that of domain/delivery/availability.ts: an option per impression has one, and so has an
-- option per day in a zone that has 30 views a day or more, measured over seven days or more, as if nothing else ran
-- there. Clicks are not priced by views. A click rate is known from
-- 1,000 views on (MIN_RATED_VIEWS).
-- `offers` holds the texts for which the catalogue's filters look (server/platform/database/migrations/014-marketplace.sql).
create or replace function rank_websites(ids integer[]) returns void language sql as $$
  insert into website_ranks as r
      (website_id, name, traffic, views_per_day, click_rate, price_per_thousand, lowest_price, offers)
    select w.id, left(lower(w.name), 40), w.traffic, measured.views_per_day, measured.click_rate,
        offered.price_per_thousand, offered.lowest_price,
        array(
          select distinct unnest(array[
              p.ad_type, z.width || 'x' || z.height, p.ad_type || ' ' || z.width || 'x' || z.height])
            from ad_zones z join ad_zone_products p on p.ad_zone_id = z.id and p.is_active
            where z.website_id = w.id and is_zone_offered(z, w, publisher)
            order by 1)
      from websites w
      join users publisher on publisher.id = w.user_id
      cross join lateral (
        select round(sum(m.likely))::integer as views_per_day,
            case when sum(m.views) >= 1000
              then round(1000000 * least(sum(m.clicks), sum(m.views)) / sum(m.views))::integer end as click_rate
          from ad_zones z
          join zone_measurements m on m.zone_id = z.id and m.days > 0
          where z.website_id = w.id and z.deleted_at is null) measured
      cross join lateral (
        select min(round(p.price * 100000 / case p.pricing_model
            when 'per_impression' then p.impressions
            when 'per_day' then p.duration * case when m.days >= 7 and m.likely >= 30 then m.likely::numeric end end))::bigint as price_per_thousand,
            min(round(p.price * p.min_quantity * 100))::bigint as lowest_price
          from ad_zones z
          join ad_zone_products p on p.ad_zone_id = z.id and p.is_active
          left join zone_measurements m on m.zone_id = z.id and m.days > 0
          where z.website_id = w.id and is_zone_offered(z, w, publisher)) offered
      where w.id = any(ids)
      -- All transactions lock the rows in this order.
      order by w.id
    on conflict (website_id) do update set
      name = excluded.name, traffic = excluded.traffic, views_per_day = excluded.views_per_day,
      click_rate = excluded.click_rate, price_per_thousand = excluded.price_per_thousand,
      lowest_price = excluded.lowest_price, offers = excluded.offers
      where (r.name, r.traffic, r.views_per_day, r.click_rate, r.price_per_thousand, r.lowest_price, r.offers)
        is distinct from (excluded.name, excluded.traffic, excluded.views_per_day, excluded.click_rate,
          excluded.price_per_thousand, excluded.lowest_price, excluded.offers)
$$;

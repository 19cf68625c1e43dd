-- The figures by which the marketplace sorts its websites, one row for each website. They stand beside the websites,
-- because a figure that changes every day would otherwise be written into every index of a website, and the one of its
-- words is slow. The triggers rank_changed_websites (server/db/functions) keep the rows.
create table website_ranks (
  website_id integer primary key references websites on delete cascade,
  -- The first 40 characters of the name, in lower case: more would not fit into the cursor of a page.
  name text not null,
  -- As in websites: the high levels have the most views, so a filter by level has to be part of that order's index.
  traffic text not null,
  -- The measured views per day of all its ad zones. Null: not measured yet.
  views_per_day integer,
  -- Clicks per million views. Null: no views.
  click_rate integer,
  -- The lowest price of 1,000 views that can be bought now, in cents. Null: there is none, or it is not known.
  price_per_thousand bigint
);
-- Websites without a figure come last. A row comparison with null would leave them out of every page but the first.
create index website_ranks_name on website_ranks (name, website_id);
create index website_ranks_views on website_ranks (coalesce(views_per_day, -1), website_id);
-- PostgreSQL takes level and views for independent, and would look for low levels among the websites with most views.
-- The other constant leaves it no other index than this one.
create index website_ranks_views_of_traffic on website_ranks (traffic, coalesce(views_per_day, -2), website_id);
create index website_ranks_ctr on website_ranks (coalesce(click_rate, -1), website_id);
create index website_ranks_price on website_ranks (coalesce(price_per_thousand, 999999999999999), website_id);

-- Fills the rows as the function rank_websites does. Functions are applied after migrations.
insert into website_ranks (website_id, name, traffic, views_per_day, click_rate, price_per_thousand)
  select w.id, left(lower(w.name), 40), w.traffic, measured.views_per_day, measured.click_rate, offered.price_per_thousand
    from websites w
    cross join lateral (
      select round(sum(m.likely))::integer as views_per_day,
          round(1000000 * least(sum(m.clicks), sum(m.views)) / nullif(sum(m.views), 0))::integer as click_rate
        from ad_zones z
        join zone_measurements m on m.zone_id = z.id and m.days > 0
        where z.website_id = w.id and z.deleted_at is null) measured
    cross join lateral (
      select min(round(p.price * 100000 / case p.pricing_model
          when 'per_impression' then p.impressions
          when 'per_day' then p.duration * nullif(m.likely, 0)::numeric end))::bigint as price_per_thousand
        from ad_zones z
        join ad_zone_products p on p.ad_zone_id = z.id and p.is_active
        left join zone_measurements m on m.zone_id = z.id and m.days > 0
        where z.website_id = w.id and z.is_active and z.deleted_at is null and z.suspended_at is null) offered;

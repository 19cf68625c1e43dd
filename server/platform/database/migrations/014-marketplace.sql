-- The figures by which advertisers choose where to advertise.

-- The measured figures of each zone in its last 28 whole UTC days, so that lists need not add up hours. The job
-- measure-zones writes the rows from delivery_hourly once a day (server/delivery/forecast/measure-zones.ts).
create table zone_measurements (
  zone_id integer primary key references ad_zones on delete cascade,
  -- The UTC day on which the row was computed, from the days before it.
  measured_on date not null,
  -- Days since the zone's first figures. 0: it has none, and all other columns are 0.
  days integer not null,
  -- Views per day, see measureZone in domain/delivery/forecast.ts.
  low double precision not null,
  likely double precision not null,
  high double precision not null,
  rendered bigint not null,
  viewable bigint not null,
  views bigint not null,
  clicks bigint not null,
  -- Reported views and clicks that count or are invalid traffic, and the invalid ones among them.
  judged bigint not null,
  invalid bigint not null,
  constraint zone_measurements_days check (days between 0 and 28),
  constraint zone_measurements_range check (0 <= low and low <= likely and likely <= high),
  constraint zone_measurements_counts check (
    least(rendered, viewable, views, clicks, invalid) >= 0 and judged >= invalid)
);
-- measure-zones asks every minute which zones are due. Both kinds of them come from an index: the measured ones from
-- this one, and those without a measurement from the table below, which the trigger note_new_zone fills.
create index zone_measurements_due on zone_measurements (measured_on, zone_id);
create table unmeasured_zones (
  zone_id integer primary key references ad_zones on delete cascade
);

-- The views per day of zones of this size, for each monthly visitor that their websites declare.
create table market_measurements (
  width integer not null,
  height integer not null,
  traffic text not null,
  measured_on date not null,
  -- How many websites were measured. Each of them counts once.
  websites integer not null,
  -- The first decile, the median and the last decile of these websites.
  low double precision not null,
  likely double precision not null,
  high double precision not null,
  primary key (width, height, traffic),
  constraint market_measurements_range check (websites > 0 and 0 < low and low <= likely and likely <= high)
);

-- The figures by which the marketplace sorts its websites, one row for each website. They stand beside the websites,
-- because a figure that changes every day would otherwise be written into every index of a website, and the one of its
-- words is slow. The triggers rank_changed_websites (server/platform/database/functions) keep the rows.
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
  price_per_thousand bigint,
  -- The lowest price of a purchase that can be made now, in cents. Null: there is none.
  lowest_price bigint,
  -- What can be bought now, as texts that a filter looks for: each ad type ('image'), each size ('300x250') and each
  -- type in a size ('image 300x250').
  offers text[] not null default '{}'
);
-- Websites without a figure come last. A row comparison with null would leave them out of every page but the first.
create index website_ranks_name on website_ranks (name, website_id);
create index website_ranks_views on website_ranks (coalesce(views_per_day, -1), website_id);
-- PostgreSQL takes level and views for independent, and would look for low levels among the websites with most views.
-- The other constant leaves it no other index than this one.
create index website_ranks_views_of_traffic on website_ranks (traffic, coalesce(views_per_day, -2), website_id);
create index website_ranks_ctr on website_ranks (coalesce(click_rate, -1), website_id);
create index website_ranks_price on website_ranks (coalesce(price_per_thousand, 999999999999999), website_id);
create index website_ranks_lowest on website_ranks (coalesce(lowest_price, 999999999999999), website_id);
create index website_ranks_offers on website_ranks using gin (offers) with (fastupdate = off);

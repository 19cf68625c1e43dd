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

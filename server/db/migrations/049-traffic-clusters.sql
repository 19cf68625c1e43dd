-- The counted events of an hour by what makes them alike: network, browser and delay (docs/decisions/055-clusters.md).
-- Network and browser are buckets of a hash whose key changes every week. A view has the step of its delay; a click has
-- -1. `withdrawn` events were withdrawn with their cluster. A job deletes the rows.
create table traffic_clusters (
  hour timestamptz not null,
  zone_id integer not null,
  ad_id integer not null,
  kind text not null,
  network integer not null,
  browser integer not null,
  delay integer not null,
  n integer not null,
  withdrawn integer not null default 0,
  primary key (zone_id, hour, ad_id, kind, network, browser, delay),
  constraint traffic_clusters_kind_known check (kind in ('view', 'click')),
  constraint traffic_clusters_withdrawn check (withdrawn between 0 and n),
  constraint traffic_clusters_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index traffic_clusters_hour on traffic_clusters (hour);

-- How often the tag of a zone was loaded in an hour. Both tables replace the traits.
create table tag_loads (
  hour timestamptz not null,
  zone_id integer not null,
  n bigint not null,
  primary key (zone_id, hour),
  constraint tag_loads_positive check (n > 0),
  constraint tag_loads_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index tag_loads_hour on tag_loads (hour);
insert into tag_loads (hour, zone_id, n) select hour, zone_id, sum(n) from traffic_traits where trait = 'tag' group by 1, 2;
drop table traffic_traits;

-- It takes the cluster that looks alike, and not all events of the hours.
drop function if exists withdraw_traffic(timestamptz, integer, timestamptz, timestamptz, jsonb);

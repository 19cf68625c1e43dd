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

-- The clusters replace the traits of events. Loads of the tag stay.
delete from traffic_traits where trait <> 'tag';
alter table traffic_traits drop constraint traffic_traits_trait_known;
alter table traffic_traits add constraint traffic_traits_trait_known check (trait = 'tag');

-- It takes the cluster that looks alike, and not all events of the hours.
drop function if exists withdraw_traffic(timestamptz, integer, timestamptz, timestamptz, jsonb);

-- expand
-- Where ad zones stand on pages and for how long they are in view, by a sample of page views (docs/decisions/116-placement.md).
-- No foreign key, so that a report never waits for a change of its zone.
set local lock_timeout = '500ms';

create table placement_reports (
  -- Random, from the token of the report, so that it counts once.
  id bytea primary key,
  zone_id integer not null,
  reported_at timestamptz not null,
  -- CSS pixels, in whole tens. The box is where the page begins.
  screen_width integer not null,
  screen_height integer not null,
  page_width integer not null,
  page_height integer not null,
  box_x integer not null,
  box_y integer not null,
  box_width integer not null,
  box_height integer not null,
  -- For how long at least half of the box was in view.
  in_view_ms integer not null
);
create index placement_reports_of_zone on placement_reports (zone_id, reported_at);
-- Reports come in the order of their time.
create index placement_reports_by_age on placement_reports using brin (reported_at);

-- expand
-- The audience of ad zones, as sums of votes that nobody can be found in (docs/decisions/139-audience-sums.md).

set local lock_timeout = '5s';

-- No foreign key, so that a vote never waits for a change of its zone.
create table zone_audiences (
  zone_id integer not null,
  -- The first day of the week (UTC) in which a network has one vote for the zone.
  week date not null,
  -- Each is summed by itself: a row says nothing about the other facts of its voters.
  fact text not null,
  -- Empty: not known.
  value text not null,
  n bigint not null,
  primary key (zone_id, week, fact, value),
  constraint zone_audiences_fact check (
    fact in ('device', 'language', 'place', 'ownHour', 'utcHour', 'path', 'topics')),
  constraint zone_audiences_counted check (n > 0)
);
-- Weeks come in the order of their time.
create index zone_audiences_by_age on zone_audiences using brin (week);

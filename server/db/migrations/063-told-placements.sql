-- expand
-- When both sides were mailed that the viewability of a zone has changed (docs/decisions/108-publisher-results.md). No
-- foreign key, so that a mail never waits for a change of its zone.
set local lock_timeout = '500ms';

create table told_placements (
  zone_id integer primary key,
  told_at timestamptz not null
);

-- expand
-- The key of a cell can be replaced, and a cell can be removed (docs/decisions/118-cells.md).
set local lock_timeout = '500ms';

-- The ad zones that a removed cell has served. Their single events are with that cell, so the archive of this marketplace does
-- not compare them with the figures.
create table zones_of_removed_cells (
  zone_id integer primary key
);

insert into known_acts (name) values ('rotate-cell'), ('remove-cell');

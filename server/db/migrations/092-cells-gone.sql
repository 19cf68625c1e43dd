-- contract
-- One database serves the ads of all publishers, so nothing of cells is needed (docs/decisions/118-cells.md).
set local lock_timeout = '500ms';

drop trigger if exists note_cell_due_new on delivery_hourly;
drop trigger if exists note_cell_due_changed on delivery_hourly;
drop trigger if exists note_cell_due_removed on delivery_hourly;
drop function if exists note_cell_due();
drop function if exists take_cell_figures(
  integer, integer, integer, timestamptz[], timestamptz[], text[], text[], bigint[], timestamptz, timestamptz);
drop function if exists is_counted_until(integer, timestamptz, timestamptz);
drop function if exists cell_url(integer);
drop function if exists is_cell();
delete from applied_files where name in ('functions/note_cell_due.sql', 'functions/take_cell_figures.sql',
  'functions/is_counted_until.sql', 'functions/cell_url.sql', 'functions/is_cell.sql');
delete from migrations where name in ('functions/note_cell_due.sql', 'functions/take_cell_figures.sql',
  'functions/is_counted_until.sql', 'functions/cell_url.sql', 'functions/is_cell.sql');

drop table cell_due, cell_progress, cell_self, cell_surplus, zones_of_removed_cells;
alter table users drop column cell_id;
drop table cells;
delete from known_acts where name in ('add-cell', 'assign-cell', 'rotate-cell', 'remove-cell');
delete from known_act_subjects where name = 'cell';

-- Whether this is the database of a cell (docs/decisions/118-cells.md). Its ads are bought, approved and paid elsewhere, so
-- the guards of these steps stand in the marketplace's database. The server cannot write the row on which this depends.
create or replace function is_cell() returns boolean language sql stable as $$
  select exists (select from cell_self)
$$;

-- expand
-- The publishers of a cell are few of all accounts.
create index concurrently users_cell_id on users (cell_id, id) where cell_id is not null;

-- expand
-- The name and tax data of a deleted account for the documents of its last month. They are made after the month, and the
-- row is removed then.
create table closing_parties (
  user_id integer primary key references users on delete cascade,
  party jsonb not null,
  tax_status jsonb not null
);

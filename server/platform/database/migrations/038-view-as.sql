-- expand
-- An operator looks at an account as its person (docs/decisions/140-view-as.md).

set local lock_timeout = '5s';
insert into known_acts (name) values ('view-as');

alter table sessions
  -- The person as whom the operator of the session looks at the product. Null: the session is the operator's own.
  add column viewing integer,
  -- The view ends then by itself, whether or not anybody ends it.
  add column viewing_until timestamptz;

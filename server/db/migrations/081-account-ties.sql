-- expand
-- Members are relations between accounts, also after they have left (docs/decisions/131-taking-back-means-alone.md).
set local lock_timeout = '500ms';

-- The present and past members of each account. The trigger note_member writes it.
create table account_ties (
  account_id integer not null references users on delete cascade,
  user_id integer not null references users on delete cascade,
  primary key (account_id, user_id)
);
create index account_ties_person on account_ties (user_id);
insert into account_ties (account_id, user_id)
  select account_id, user_id from account_members where user_id is not null;

-- When the role was changed last. Null: never, or by the release before.
alter table account_members add column role_changed_at timestamptz;

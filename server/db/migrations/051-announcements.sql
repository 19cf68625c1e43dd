-- expand
-- Texts of the operator that each page shows to everybody (docs/decisions/098-announcements.md).
set local lock_timeout = '500ms';

create table announcements (
  id integer generated always as identity primary key,
  text text not null,
  made_at timestamptz not null,
  -- The account of the operator. Null for the command line. No foreign key, as in operator_acts.
  made_by integer,
  -- When it ends by itself.
  until timestamptz,
  -- When it was ended or replaced.
  ended_at timestamptz,
  -- The highest number of an account that it was mailed to; null if it is not mailed.
  mailed_through integer,
  constraint announcements_text check (btrim(text) <> '' and length(text) <= 300)
);
create unique index announcements_one on announcements ((true)) where ended_at is null;

insert into known_acts (name) values ('announce'), ('end-announcement');
insert into known_act_subjects (name) values ('announcement');

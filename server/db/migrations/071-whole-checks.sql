-- expand
-- When everything in the books is checked next, and what the last check found (server/payments/books/whole-check.ts).
set local lock_timeout = '500ms';

create table whole_checks (
  is_only boolean primary key default true check (is_only),
  due_at timestamptz not null,
  -- When the last one ended. Null: none has ended yet.
  checked_at timestamptz,
  seconds integer,
  postings bigint,
  differences integer not null default 0,
  -- The first of them in words.
  first_difference text,
  -- Why the last try failed. Null: it ended.
  error text,
  constraint whole_checks_whole check ((checked_at is null) = (seconds is null) and (checked_at is null) = (postings is null))
);
-- Each installation has a time of the week of its own, so that those of one machine do not check at once.
insert into whole_checks (due_at) values (now() + interval '1 day' + random() * interval '6 days');

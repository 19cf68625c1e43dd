-- expand
-- One mail for each person about the documents of a month (server/payments/documents/tell-months.ts).
set local lock_timeout = '500ms';

alter table closed_months
  -- The highest number of an account that has got the mail about this month.
  add column mailed_through integer not null default 0,
  -- When everybody had it.
  add column mailed_at timestamptz;

-- Nobody gets mail about months that were over before this release.
update closed_months set mailed_at = closed_at;

create index closed_months_unmailed on closed_months (month) where mailed_at is null;

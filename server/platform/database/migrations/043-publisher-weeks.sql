-- expand
-- The weeks, by their Mondays, about which publishers get a mail (server/results/campaign-mails/publisher-week.ts).

set local lock_timeout = '5s';
create table publisher_weeks (
  week date primary key,
  -- The highest number of an account that has had its turn.
  mailed_through integer not null default 0,
  -- When everybody had it.
  mailed_at timestamptz,
  constraint publisher_weeks_monday check (extract(isodow from week) = 1)
);

-- No mail about a week that was over before this release.
insert into publisher_weeks (week, mailed_at)
  select (date_trunc('week', (now() - interval '12 hours 5 minutes') at time zone 'utc') - interval '7 days')::date, now();

-- expand
-- The mails about what campaigns have brought (docs/decisions/107-results-by-mail.md).
set local lock_timeout = '500ms';

-- The ads whose end the advertiser has been told, alone or with their plan.
create table told_ends (
  ad_id integer primary key references ads on delete cascade,
  told_at timestamptz not null
);

-- The weeks, by their Mondays, about which advertisers get a mail.
create table campaign_weeks (
  week date primary key,
  -- The highest number of an account that has had its turn.
  mailed_through integer not null default 0,
  -- When everybody had it.
  mailed_at timestamptz,
  constraint campaign_weeks_monday check (extract(isodow from week) = 1)
);

-- Nobody gets the mail of a week that was over before this release.
insert into campaign_weeks (week, mailed_at)
  select (date_trunc('week', (now() - interval '12 hours 5 minutes') at time zone 'utc') - interval '7 days')::date, now();

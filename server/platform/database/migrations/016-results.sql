-- The results of campaigns and ad zones beyond the counts, and the mails about them
-- (docs/decisions/084-mail-that-arrives.md).

-- Where ad zones stand on pages and for how long they are in view, by a sample of page views
-- (docs/decisions/135-published-shares.md). No foreign key, so that a report never waits for a change of its zone.
create table placement_reports (
  -- Random, from the token of the report, so that it counts once.
  id bytea primary key,
  zone_id integer not null,
  reported_at timestamptz not null,
  -- CSS pixels, in whole tens. The box is where the page begins.
  screen_width integer not null,
  screen_height integer not null,
  page_width integer not null,
  page_height integer not null,
  box_x integer not null,
  box_y integer not null,
  box_width integer not null,
  box_height integer not null,
  -- For how long at least half of the box was in view.
  in_view_ms integer not null,
  -- On which page of the website. Null for very long paths.
  path text
);
create index placement_reports_of_zone on placement_reports (zone_id, reported_at);
-- Reports come in the order of their time.
create index placement_reports_by_age on placement_reports using brin (reported_at);

-- When both sides were mailed that the viewability of a zone has changed (docs/decisions/135-published-shares.md). No
-- foreign key, so that a mail never waits for a change of its zone.
create table told_placements (
  zone_id integer primary key,
  told_at timestamptz not null
);

-- The page views of a website by day, as the publisher's own analytics counted them, in whatever time zone these use
-- (docs/decisions/135-published-shares.md).
create table site_page_views (
  website_id integer not null references websites on delete cascade,
  date date not null,
  page_views integer not null,
  primary key (website_id, date),
  constraint site_page_views_counted check (page_views between 0 and 1000000000)
);

-- Links to read-only reports of an ad or a plan (docs/decisions/109-members.md).
create table report_links (
  id integer generated always as identity primary key,
  -- The last part of the address. It is kept as it is, because the advertiser copies it again, and because whoever reads
  -- this table can read the figures of the report, too.
  key text not null unique,
  user_id integer not null references users on delete cascade,
  ad_id integer references ads on delete cascade,
  plan_id integer references plans on delete cascade,
  name text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint report_links_subject check (num_nonnulls(ad_id, plan_id) = 1),
  constraint report_links_name check (btrim(name) <> '' and length(name) <= 100),
  constraint report_links_times check (created_at < expires_at)
);
create index report_links_ad on report_links (ad_id, id desc) where ad_id is not null;
create index report_links_plan on report_links (plan_id, id desc) where plan_id is not null;
create index report_links_owner on report_links (user_id, id);
create index report_links_ended on report_links (least(expires_at, revoked_at));

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

-- No mail about a week that was over before the installation began.
insert into campaign_weeks (week, mailed_at)
  select (date_trunc('week', (now() - interval '12 hours 5 minutes') at time zone 'utc') - interval '7 days')::date, now();

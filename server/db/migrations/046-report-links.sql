-- expand
-- Links to read-only reports of an ad or a plan (docs/decisions/105-report-links.md).
set local lock_timeout = '500ms';

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

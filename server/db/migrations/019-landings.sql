-- Whether the clicks of an ad lead to its target with a token, whose landing the advertiser reports
-- (docs/decisions/025-landings.md). The target address itself stays as the publisher approved it.
alter table ads add column measures_landings boolean not null default false;

-- The clicks that left with a token. A job deletes them after three days, when no token is valid any more.
create table measured_clicks (
  decision_id bytea primary key,
  -- The UTC day of the decision, for the lookup in ad_events.
  issued_on date not null,
  ad_id integer not null,
  zone_id integer not null,
  clicked_at timestamptz not null,
  landed_at timestamptz,
  -- Whether the click passed all rules. Null: not known yet, because it may wait for its proof.
  counted boolean
);
create index measured_clicks_clicked on measured_clicks (clicked_at);
create index measured_clicks_open on measured_clicks (clicked_at) where counted is null;

-- The clicks that left with a token and passed all rules, and those of them that landed, by the hour of the click.
create table landing_hours (
  ad_id integer not null,
  hour timestamptz not null,
  zone_id integer not null,
  clicks integer not null,
  landings integer not null,
  primary key (ad_id, hour, zone_id),
  constraint landing_hours_landed_of_clicked check (landings between 0 and clicks and clicks > 0),
  constraint landing_hours_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index landing_hours_zone on landing_hours (zone_id, hour);

-- Who was told by mail about which withdrawal, so that each person gets at most one mail a day and no withdrawal twice.
create table told_withdrawals (
  user_id integer not null references users on delete cascade,
  withdrawal_id integer not null references withdrawals,
  told_at timestamptz not null,
  primary key (user_id, withdrawal_id)
);
create index told_withdrawals_told on told_withdrawals (user_id, told_at);
create index withdrawals_made on withdrawals (made_at);

-- The reasons of the rules against invalid traffic (docs/decisions/019-traffic-rules.md).
alter table ad_events drop constraint ad_events_reason_known;
alter table ad_events add constraint ad_events_reason_known check (reason in (
  'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
  'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
  'publisher_cap'));
alter table delivery_hourly drop constraint delivery_hourly_reason_known;
alter table delivery_hourly add constraint delivery_hourly_reason_known check (reason in ('',
  'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
  'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
  'publisher_cap'));

-- The clicks of an ad that counted in a UTC day although no report of its rendering came, as video players may omit it.
create table ad_unreported_clicks (
  ad_id integer not null references ads on delete cascade,
  date date not null,
  n integer not null,
  primary key (ad_id, date),
  constraint ad_unreported_clicks_positive check (n > 0)
);

-- The peers that sent X-Forwarded-For without being named in TRUSTED_PROXIES, for `openslot doctor`. Only private and
-- loopback addresses are kept. All public ones share the row '', because they may be visitors.
create table untrusted_forwarding (
  peer text primary key,
  seen_at timestamptz not null
);

-- For the job that deletes old days.
create index ad_unreported_clicks_date on ad_unreported_clicks (date);

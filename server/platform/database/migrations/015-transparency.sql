-- Duties of the Digital Services Act: a public archive of ads, and reports about them.

-- The ads that visitors saw, as article 39 requires (https://eur-lex.europa.eu/eli/reg/2022/2065/oj). A trigger adds a
-- row at an ad's first counted view (server/platform/database/functions/market/archive_ad.sql), and a job deletes it a year after the ad's
-- last day. The archive searches and sorts this table only: an index over the counters of `ads` would make every
-- counted view more expensive.
create table ad_archive (
  ad_id integer primary key references ads on delete cascade,
  -- Without a foreign key, so that counting never waits for a change to the account.
  user_id integer not null,
  advertiser text not null,
  title text not null,
  description text not null,
  started_at timestamptz not null,
  -- Null while the ad runs.
  ended_at timestamptz
);
create index ad_archive_newest on ad_archive (started_at desc, ad_id desc);
create index ad_archive_ended on ad_archive (ended_at) where ended_at is not null;
create index ad_archive_advertiser on ad_archive (user_id);
create index ad_archive_words on ad_archive
  using gin ((advertiser || ' ' || title || ' ' || description) gin_trgm_ops) with (fastupdate = off);

-- Visitors' reports about ads. The id comes with the form, so that a form that is sent twice makes one report.
create table ad_reports (
  id uuid primary key,
  ad_id integer not null references ads on delete cascade,
  -- The second creative that the visitor reported; null for the ad itself.
  variant_id integer references ad_variants on delete set null,
  reason text not null,
  details text not null default '',
  -- For our answer. Visitors may leave it empty.
  email text,
  created_at timestamptz not null,
  -- When the operator decided about the ad. Null while the report is open.
  closed_at timestamptz,
  constraint ad_reports_reason_known check (
    reason in ('illegal', 'misleading', 'harmful', 'offensive', 'rights', 'other')),
  constraint ad_reports_details_length check (length(details) <= 2000)
);
create index ad_reports_ad on ad_reports (ad_id, created_at);
create index ad_reports_open on ad_reports (ad_id, created_at) where closed_at is null;
create index ad_reports_created on ad_reports (created_at);
create index ad_reports_variant on ad_reports (variant_id) where variant_id is not null;

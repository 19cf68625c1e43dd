-- expand
-- An advertiser pauses a campaign. The rule is in server/ads/life/pause.ts.

set local lock_timeout = '5s';
-- Since when its advertiser has paused the ad; null if they have not.
alter table ads add column advertiser_paused_at timestamptz;

-- Every pause of an ad by its advertiser. A day by the day that one of them touches needs no counted view
-- (server/platform/database/functions/ads/is_day_silent.sql), so they are kept.
create table advertiser_pauses (
  id integer generated always as identity primary key,
  ad_id integer not null references ads on delete cascade,
  began_at timestamptz not null,
  -- When the job resumes the ad; null: when the advertiser does.
  until timestamptz,
  -- Null while it lasts.
  ended_at timestamptz,
  constraint advertiser_pauses_order check (ended_at >= began_at)
);
create index advertiser_pauses_of_ad on advertiser_pauses (ad_id, began_at);
create unique index advertiser_pauses_open on advertiser_pauses (ad_id) where ended_at is null;
create index advertiser_pauses_due on advertiser_pauses (until) where ended_at is null and until is not null;

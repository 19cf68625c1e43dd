-- What was bought by the day is time on the page, not time on the calendar: the clock of such an ad stands still while
-- its zone is paused, and a day in which the page asked for nothing is given again (server/ads/clock.ts).

-- Since when a zone is paused; null while it runs.
alter table ad_zones
  add column paused_at timestamptz,
  add constraint ad_zones_paused_is_inactive check (paused_at is null or not is_active);
-- Nobody noted since when the present ones are: their ads get what comes from here on.
update ad_zones set paused_at = now() where not is_active and deleted_at is null;

alter table ads
  -- Where the present day of a per-day ad began; null: at its start.
  add column day_began_at timestamptz,
  -- Days without a decision up to now, in a row.
  add column silent_days integer not null default 0,
  add constraint ads_silent_days_not_negative check (silent_days >= 0);
-- The rule begins here, not in the past.
update ads set day_began_at = now() where status = 'active' and pricing_model = 'per_day';
create index ads_days on ads (coalesce(day_began_at, start_date))
  where status = 'active' and pricing_model = 'per_day';

-- Publishers correct, hide and delete their websites.
alter table websites
  -- Who reads the website, in the publisher's own words.
  add column audience text,
  -- Its picture or logo: '{sha256}.webp' of the re-encoded image (server/media/square-picture.ts).
  add column picture text,
  -- Null while the website is active. Like the pause of a zone, it extends per-day ads (server/ads/clock.ts).
  add column paused_at timestamptz,
  -- When the publisher deleted the website. The row stays for the history of its ads.
  add column archived_at timestamptz,
  -- The name where a history needs it.
  add column shown_name text not null generated always as (
    case when archived_at is null then name else name || ' (archived)' end) stored,
  add constraint websites_audience_present check (btrim(audience) <> ''),
  add constraint websites_picture_file check (picture ~ '^[0-9a-f]{64}\.webp$'),
  add constraint websites_paused_is_inactive check (paused_at is null or not is_active),
  add constraint websites_archived_is_inactive check (archived_at is null or not is_active);

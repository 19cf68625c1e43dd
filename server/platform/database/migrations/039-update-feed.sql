-- expand
-- The newest release that the feed of UPDATE_FEED names (server/operations/updates/update-feed.ts).

set local lock_timeout = '5s';
create table update_feed (
  is_only boolean primary key default true,
  -- The address that was read. With another one, it is read again at once.
  feed text not null,
  read_at timestamptz not null,
  -- Null until the feed was read once. A later failure leaves them.
  version text,
  url text,
  -- Why the last reading failed; null if it did not.
  problem text,
  constraint update_feed_one check (is_only),
  constraint update_feed_release check ((version is null) = (url is null))
);

-- expand
-- The logo and the icon of the marketplace, with their renditions (docs/decisions/099-logo-icon-accent.md). Files that
-- were replaced stay, because mails and stored pages show them.
set local lock_timeout = '500ms';

create table brand_files (
  -- The last part of the address. It begins with the hash of the picture, so a name always has the same bytes.
  name text primary key,
  bytes bytea not null,
  created_at timestamptz not null,
  constraint brand_files_size check (length(bytes) between 1 and 1048576)
);

-- What the operator says and shows: pages, announcements, the logo.

-- Each text of a page that was saved (docs/decisions/088-settings-in-the-database.md). Nothing changes or removes one
-- afterwards, because people have accepted it.
create table page_versions (
  key text not null,
  version integer not null,
  -- Markdown.
  text text not null,
  saved_at timestamptz not null,
  -- The account of the operator. Null for the command line. No foreign key, as in operator_acts.
  saved_by integer,
  primary key (key, version),
  constraint page_versions_version check (version > 0)
);

-- The version that everybody can read. A page without a row is not published.
create table published_pages (
  key text primary key,
  version integer not null,
  published_at timestamptz not null,
  constraint published_pages_version foreign key (key, version) references page_versions on delete restrict
);

-- Texts that each page shows to everybody (docs/decisions/084-mail-that-arrives.md).
create table announcements (
  id integer generated always as identity primary key,
  text text not null,
  made_at timestamptz not null,
  -- The account of the operator. Null for the command line. No foreign key, as in operator_acts.
  made_by integer,
  -- When it ends by itself.
  until timestamptz,
  -- When it was ended or replaced.
  ended_at timestamptz,
  -- The highest number of an account that it was mailed to; null if it is not mailed.
  mailed_through integer,
  constraint announcements_text check (btrim(text) <> '' and length(text) <= 300)
);
create unique index announcements_one on announcements ((true)) where ended_at is null;

-- The logo and the icon of the marketplace, with their renditions (docs/decisions/088-settings-in-the-database.md).
-- Files that were replaced stay, because mails and stored pages show them.
create table brand_files (
  -- The last part of the address. It begins with the hash of the picture, so a name always has the same bytes.
  name text primary key,
  bytes bytea not null,
  created_at timestamptz not null,
  constraint brand_files_size check (length(bytes) between 1 and 1048576)
);

-- Files of users.

create table uploads (
  -- The last path segment of the upload address. It is unguessable: the user who knows it may store the file, once.
  name text primary key,
  user_id integer not null references users on delete cascade,
  -- The file that visitors get: '{sha256}.{ext}' of the re-encoded image, or of the MP4 itself. The server sets this
  -- and the next columns together, after it has received, checked and stored the file.
  rendition text,
  content_type text,
  byte_size integer,
  width integer,
  height integer,
  duration_ms integer,
  stored_at timestamptz,
  -- When the address expires, if no file has been stored.
  expires_at timestamptz not null,
  -- When a job last found the file in use. It looks at each file once a week (server/platform/media/uploads.ts).
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint uploads_type_known check (content_type in ('image/jpeg', 'image/png', 'image/gif', 'video/mp4')),
  constraint uploads_stored_whole check (
    stored_at is null
    or (content_type is not null and byte_size > 0 and width > 0 and height > 0 and rendition is not null))
);
create index uploads_owner on uploads (user_id);
-- Every minute, a job looks for addresses that expired unused. They are few among the rows of the table.
create index uploads_never_stored on uploads (expires_at) where stored_at is null;
create index uploads_to_check on uploads (coalesce(checked_at, stored_at)) where stored_at is not null;

-- The bytes of all stored files, in one row. The trigger count_stored_bytes keeps it (server/platform/database/functions).
create table stored_bytes (
  only_row boolean primary key default true check (only_row),
  bytes bigint not null check (bytes >= 0)
);
insert into stored_bytes (bytes) values (0);

-- The images that an advertiser can use again in another ad.
create table media_library (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  image_path text not null,
  filename text not null,
  file_size integer not null,
  is_deleted boolean not null default false,
  uploaded_at timestamptz not null default now(),
  constraint media_library_once unique (user_id, image_path)
);
create index media_library_newest on media_library (user_id, id desc) where not is_deleted;

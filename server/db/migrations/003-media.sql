create table uploads (
  -- The last path segment of the upload address. It is unguessable: the user who knows it may store the file, once.
  name text primary key,
  user_id integer not null references users on delete cascade,
  expires_at timestamptz not null,
  -- The server sets this and the next columns together, after it has received, checked and stored the file.
  stored_at timestamptz,
  content_type text,
  byte_size integer,
  width integer,
  height integer,
  duration_ms integer,
  -- The file that visitors get: '{sha256}.{ext}' of the re-encoded image, or of the MP4 itself.
  rendition text,
  created_at timestamptz not null default now(),
  constraint uploads_stored_whole check (
    stored_at is null
    or (content_type is not null and byte_size > 0 and width > 0 and height > 0 and rendition is not null)),
  constraint uploads_type_known check (content_type in ('image/jpeg', 'image/png', 'image/gif', 'video/mp4'))
);
create index uploads_owner on uploads (user_id);
create index uploads_rendition on uploads (rendition);
-- Every minute, a job looks for addresses that expired unused. They are few among the rows of the table.
create index uploads_never_stored on uploads (expires_at) where stored_at is null;

create table media_library (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  image_path text not null,
  filename text not null,
  file_size integer not null,
  uploaded_at timestamptz not null default now(),
  is_deleted boolean not null default false,
  constraint media_library_once unique (user_id, image_path)
);
create index media_library_newest on media_library (user_id, id desc) where not is_deleted;

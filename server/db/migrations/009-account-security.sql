-- What Settings shows of an open session. connect-pg-simple writes the first three columns and leaves these alone.
alter table sessions
  -- What a caller names the session by: the id itself is the secret of the cookie.
  add column public_id uuid not null default gen_random_uuid(),
  -- Such as 'Firefox on Windows'. Neither the address nor the whole user agent is kept.
  add column device text,
  add column started_at timestamptz,
  -- Written at most every few minutes.
  add column last_used_at timestamptz;
-- Sessions live for seven days from their beginning.
update sessions set
  started_at = (expire at time zone current_setting('TimeZone')) - interval '7 days',
  last_used_at = now();
create unique index sessions_public_id on sessions (public_id);

-- A change of address, from the moment it was asked for. The old address was proven.
create table email_changes (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  old_email text not null,
  -- SHA-256 of the token in the notice to the old address; emptied once used or void.
  link_hash bytea unique,
  -- Of the link.
  expires_at timestamptz not null,
  -- Set when the new address was proven, or the change was taken back. Until then it is open.
  closed_at timestamptz,
  created_at timestamptz not null default now()
);
-- A second change before the first was proven belongs to the first.
create unique index email_changes_open on email_changes (user_id) where closed_at is null;
create index email_changes_expiry on email_changes (expires_at);
create index email_changes_user on email_changes (user_id, id);

create table second_factors (
  user_id integer primary key references users on delete cascade,
  -- The secret that the server shares with the authenticator app, encrypted with a key from SESSION_SECRET.
  secret bytea not null,
  -- Null until the user has entered a first code.
  confirmed_at timestamptz,
  -- The 30-second step of the newest code that was used. Codes of this step and of earlier ones are refused.
  last_step bigint not null default 0,
  created_at timestamptz not null
);

create table recovery_codes (
  user_id integer not null references users on delete cascade,
  -- SHA-256. A code has 120 random bits, so that a slow hash would not make it safer.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- The browsers in which a user has signed in. Their cookie exempts them from the limits that others can exhaust.
create table known_devices (
  user_id integer not null references users on delete cascade,
  -- SHA-256 of the random text in the cookie.
  device_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, device_hash)
);
create index known_devices_last_used on known_devices (last_used_at);

-- When the user last proved to be at this session, by signing in or by repeating the password.
alter table sessions add column confirmed_at timestamptz;
update sessions set confirmed_at = started_at;

-- What happened at the doors of an account. Holds no address in clear.
create table security_events (
  id bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  kind text not null,
  -- Such as 'Firefox on Windows'.
  device text,
  -- A keyed hash of the network, by which a user recognizes that two events came from the same one.
  network text,
  at timestamptz not null,
  constraint security_events_kind_known check (kind in (
    'signed-in', 'new-device', 'sign-in-failed', 'code-failed', 'locked-out', 'signed-out-everywhere',
    'password-changed', 'password-reset', 'email-changed', 'email-verified', 'email-restored', 'role-changed',
    'second-factor-on', 'second-factor-off', 'second-factor-failed', 'recovery-code-used', 'recovery-codes-replaced',
    'data-exported'))
);
create index security_events_of_user on security_events (user_id, id desc);
create index security_events_at on security_events (at);

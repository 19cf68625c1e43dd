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

-- The security log: sign-ins, failures and changes of each account. It holds no address in clear.
create table security_events (
  id integer generated always as identity primary key,
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
-- Codes are stored as a keyed hash (HMAC-SHA-256). Codes that were issued before end here. They live for ten minutes.
update email_verifications set code = null, link_hash = null;
update users set verification_code = null, verification_code_expires = null,
  password_reset_code = null, password_reset_expires = null;
alter table email_verifications drop constraint email_verifications_code_length;
alter table email_verifications alter column code type text;
alter table email_verifications add constraint email_verifications_code_hashed check (length(code) = 43);
alter table users alter column verification_code type text, alter column password_reset_code type text;
-- The link in the mail works longer than the code, because nobody can guess it.
alter table email_verifications add column link_expires_at timestamptz;
update email_verifications set link_expires_at = expires_at;
alter table email_verifications alter column link_expires_at set not null;


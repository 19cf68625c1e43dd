-- Sessions, the ways into an account, and the security log.

-- connect-pg-simple writes the first three columns and ignores the rest, which Settings shows as open sessions.
create table sessions (
  sid varchar primary key,
  sess json not null,
  expire timestamp(6) not null,
  -- The name of the session in the API, because `sid` is the secret of the cookie.
  public_id uuid not null default gen_random_uuid(),
  -- Such as 'Firefox on Windows'. We keep neither the IP address nor the full user agent.
  device text,
  started_at timestamptz,
  -- The server updates it at most every few minutes.
  last_used_at timestamptz,
  -- When the user last signed in or reauthenticated in this session.
  confirmed_at timestamptz,
  -- The account for which the session acts. Null: for its own person.
  acting_for integer
);
create index sessions_expire on sessions (expire);
create index sessions_user on sessions ((sess ->> 'userId'));
create unique index sessions_public_id on sessions (public_id);

-- The browsers in which a user has signed in. Their cookie exempts them from the limits that others can exhaust.
create table known_devices (
  user_id integer not null references users on delete cascade,
  -- SHA-256 of the random text in the cookie.
  device_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, device_hash)
);
create index known_devices_last_used on known_devices (last_used_at);

create table second_factors (
  user_id integer primary key references users on delete cascade,
  -- The secret that the server shares with the authenticator app, encrypted with a key from SESSION_SECRET.
  secret bytea not null,
  -- The 30-second step of the newest code that was used. Codes of this step and of earlier ones are refused.
  last_step bigint not null default 0,
  -- Null until the user has entered a first code.
  confirmed_at timestamptz,
  created_at timestamptz not null
);

create table recovery_codes (
  user_id integer not null references users on delete cascade,
  -- SHA-256. A code has 120 random bits, so that a slow hash would not make it safer.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- The passkeys of an account (WebAuthn). The private key never leaves the user's device.
create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- The id that the device gave the key, as base64url. Two accounts cannot have the same one.
  credential_id text not null,
  -- The public key as COSE (RFC 9052).
  public_key bytea not null,
  -- How often the device says it has signed. Synchronized passkeys always say 0.
  counter bigint not null,
  -- How the browser reaches the device, such as 'internal' or 'usb'.
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkeys_one_owner unique (credential_id),
  constraint passkeys_counter_positive check (counter >= 0),
  constraint passkeys_name_length check (length(name) between 1 and 60)
);
create index passkeys_of_user on passkeys (user_id, id);

-- The challenges that wait for an answer. Each is deleted by its first answer.
create table passkey_challenges (
  -- SHA-256 of the challenge.
  challenge_hash bytea primary key,
  -- SHA-256 of the session or of the browser's cookie that asked for it. Only that one can answer it.
  holder_hash bytea not null,
  purpose text not null,
  expires_at timestamptz not null,
  constraint passkey_challenges_purpose_known check (purpose in ('add', 'sign-in', 'reauthenticate'))
);
create index passkey_challenges_expires on passkey_challenges (expires_at);

-- The security log: sign-ins, failures and changes of each account. It holds no address in clear.
create table security_events (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- The member who caused the event. Null: the account's own person, or nobody.
  member_id integer,
  kind text not null,
  -- Such as 'Firefox on Windows'.
  device text,
  -- A keyed hash of the network, by which a user recognizes that two events came from the same one.
  network text,
  at timestamptz not null,
  constraint security_events_kind_known check (kind in (
    'signed-in', 'new-device', 'sign-in-failed', 'code-failed', 'locked-out', 'signed-out', 'session-ended',
    'signed-out-everywhere', 'reauthenticated', 'reauthentication-failed', 'password-changed', 'password-reset',
    'email-changed', 'email-verified', 'email-restored', 'role-changed', 'second-factor-on', 'second-factor-off',
    'second-factor-failed', 'recovery-code-used', 'recovery-codes-replaced', 'passkey-added', 'passkey-removed',
    'passkey-used', 'passkey-failed', 'passkey-copied', 'data-exported', 'payout-account-changed', 'payout-requested',
    'billing-portal-opened', 'member-invited', 'member-joined', 'member-role-changed', 'member-removed', 'member-left'))
);
create index security_events_of_user on security_events (user_id, id desc);
create index security_events_at on security_events (at);

-- The passkeys of an account (WebAuthn). The private key never leaves the user's device.
create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- The id that the device gave the key, as base64url. Two accounts cannot have the same one.
  credential_id text not null constraint passkeys_one_owner unique,
  -- The public key as COSE (RFC 9052).
  public_key bytea not null,
  -- How often the device says it has signed. Synchronized passkeys always say 0.
  counter bigint not null constraint passkeys_counter_positive check (counter >= 0),
  -- How the browser reaches the device, such as 'internal' or 'usb'.
  transports text[] not null default '{}',
  name text not null constraint passkeys_name_length check (length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id, id);

-- The challenges that wait for an answer. Each is deleted by its first answer.
create table passkey_challenges (
  -- SHA-256 of the challenge.
  challenge_hash bytea primary key,
  -- SHA-256 of the session or of the browser's cookie that asked for it. Nobody else can answer it.
  holder_hash bytea not null,
  purpose text not null,
  expires_at timestamptz not null,
  constraint passkey_challenges_purpose_known check (purpose in ('add', 'sign-in', 'reauthenticate'))
);
create index passkey_challenges_expires on passkey_challenges (expires_at);

alter table security_events drop constraint security_events_kind_known;
alter table security_events add constraint security_events_kind_known check (kind in (
  'signed-in', 'new-device', 'sign-in-failed', 'code-failed', 'locked-out', 'signed-out', 'session-ended',
  'signed-out-everywhere', 'reauthenticated', 'reauthentication-failed', 'password-changed', 'password-reset',
  'email-changed', 'email-verified', 'email-restored', 'role-changed', 'second-factor-on', 'second-factor-off',
  'second-factor-failed', 'recovery-code-used', 'recovery-codes-replaced', 'passkey-added', 'passkey-removed',
  'passkey-used', 'passkey-failed', 'passkey-copied', 'data-exported'));

-- An account whose claim to a website was refused gets a statement of reasons, too.
alter table operator_acts drop constraint operator_acts_act_known;
alter table operator_acts add constraint operator_acts_act_known check (
  act in ('add-operator', 'remove-operator', 'suspend', 'restore', 'take-down', 'dismiss-reports', 'uphold', 'reverse',
  'end-sessions', 'reset-second-factor', 'resend-mail', 'retry-job', 'drop-job',
  'decide-ownership', 'refuse-claim', 'overrule-withdrawal'));

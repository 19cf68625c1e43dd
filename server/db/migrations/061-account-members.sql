-- expand
-- Members of accounts, and invitations to become one (docs/decisions/109-members.md).
set local lock_timeout = '500ms';

create table account_members (
  id integer generated always as identity primary key,
  account_id integer not null references users on delete cascade,
  role text not null,
  -- The member. Null until the invited person joins.
  user_id integer references users on delete cascade,
  -- The invited address and the SHA-256 of the mailed token, until then.
  email text,
  token_hash bytea unique,
  expires_at timestamptz,
  -- The person who invited. No foreign key, as in operator_acts.
  invited_by integer not null,
  invited_at timestamptz not null,
  joined_at timestamptz,
  constraint account_members_role_known check (role in ('owner', 'editor', 'billing', 'read')),
  constraint account_members_state check (
    (num_nonnulls(user_id, joined_at) = 2 and num_nonnulls(email, token_hash, expires_at) = 0)
    or (num_nonnulls(user_id, joined_at) = 0 and num_nonnulls(email, token_hash, expires_at) = 3)
  ),
  -- The founder owns the account without a row.
  constraint account_members_not_founder check (user_id <> account_id)
);
create unique index account_members_joined on account_members (account_id, user_id);
create unique index account_members_invited on account_members (account_id, email);
create index account_members_person on account_members (user_id) where user_id is not null;
create index account_members_address on account_members (email) where email is not null;
create index account_members_expired on account_members (expires_at) where expires_at is not null;

-- The account for which the session acts. Null: for its own person.
alter table sessions add column acting_for integer;
-- The member who caused the event. Null: the account's own person, or nobody.
alter table security_events
  add column member_id integer,
  drop constraint security_events_kind_known,
  add constraint security_events_kind_known check (kind in (
    'signed-in', 'new-device', 'sign-in-failed', 'code-failed', 'locked-out', 'signed-out', 'session-ended',
    'signed-out-everywhere', 'reauthenticated', 'reauthentication-failed', 'password-changed', 'password-reset',
    'email-changed', 'email-verified', 'email-restored', 'role-changed', 'second-factor-on', 'second-factor-off',
    'second-factor-failed', 'recovery-code-used', 'recovery-codes-replaced', 'passkey-added', 'passkey-removed',
    'passkey-used', 'passkey-failed', 'passkey-copied', 'data-exported', 'payout-account-changed', 'payout-requested',
    'billing-portal-opened', 'member-invited', 'member-joined', 'member-role-changed', 'member-removed', 'member-left')) not valid;

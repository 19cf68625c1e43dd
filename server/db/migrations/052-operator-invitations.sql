-- expand
-- Invitations to become an operator (docs/decisions/093-rights-of-operators.md).
set local lock_timeout = '500ms';

create table operator_invitations (
  id integer generated always as identity primary key,
  email text not null,
  role text not null,
  -- The SHA-256 of the mailed token.
  token_hash bytea not null unique,
  reason text not null,
  -- The account of the owner who invites. Null for the command line. No foreign key, as in operator_acts.
  invited_by integer,
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was accepted, revoked or replaced.
  ended_at timestamptz
);
create unique index operator_invitations_open on operator_invitations (email) where ended_at is null;

insert into known_acts (name) values ('invite-operator'), ('revoke-invitation');
insert into known_act_subjects (name) values ('invitation');

-- The operators of the server, and everything that they decide.

-- The accounts that may use the operator console. This is no role of the marketplace: users choose their role, and only
-- another operator or the command line adds a row here.
create table operators (
  -- Without a cascade, so that the deletion of an account cannot remove the last operator.
  user_id integer primary key references users on delete restrict,
  -- domain/operator/rights.ts
  role text not null,
  added_at timestamptz not null,
  constraint operators_role_known check (role in ('owner', 'money', 'moderation', 'support', 'read'))
);

-- Invitations to become an operator (docs/decisions/023-operators.md).
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

-- The acts of operators and their subjects (domain/operator/acts.ts). They are rows, so that a migration adds one without
-- repeating all others.
create table known_acts (
  name text primary key
);
create table known_act_subjects (
  name text primary key
);
insert into known_acts (name) values
  ('add-operator'), ('remove-operator'), ('set-operator-role'), ('invite-operator'), ('revoke-invitation'),
  ('request-add-operator'), ('request-remove-operator'), ('request-set-operator-role'), ('request-refund'),
  ('decline-request'),
  ('suspend'), ('restore'), ('take-down'), ('dismiss-reports'), ('uphold'), ('reverse'),
  ('show-website'), ('hide-website'), ('ask-website'), ('decide-ownership'), ('refuse-claim'), ('overrule-withdrawal'),
  ('expect-fault'),
  ('end-sessions'), ('reset-second-factor'), ('read-person'), ('resend-mail'), ('retry-job'), ('drop-job'),
  ('refund'), ('retry-refund'), ('release-cancel'), ('refuse-cancel'), ('settle-suspense'), ('pay-refund'), ('pay-tax'),
  ('hold'), ('release'), ('send-evidence'),
  ('set-commission'), ('set-setting'), ('unset-setting'), ('release-outbound'), ('save-page'), ('publish-page'),
  ('remove-page'), ('announce'), ('end-announcement');
insert into known_act_subjects (name) values
  ('person'), ('invitation'), ('website'), ('zone'), ('ad'), ('fault'), ('mail'), ('job'), ('setting'), ('page'),
  ('announcement'), ('tax');

-- Everything that operators have done, with the reason. Append-only
-- (server/platform/database/functions/operator/operator_acts_append_only.sql). Each act is a leaf of the transparency log, so that one that is
-- changed or deleted later no longer fits the signed roots (docs/decisions/033-ledger-log.md). The ids have no
-- foreign keys, because the trail outlives what it names. It holds no name and no address of a person.
create table operator_acts (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  -- The account of the operator. Null for the command line.
  operator_id integer,
  act text not null,
  subject text not null,
  subject_id integer not null,
  -- The subject's name at that time. Empty for people.
  subject_name text not null default '',
  -- The account that the act is about and that may read it. Null where there is none.
  affected_id integer,
  reason text not null,
  -- SHA-256 of the key in the link that we mail with the reasons. Null for an act without a statement of reasons.
  key_hash bytea unique,
  -- A leaf cannot be guessed without its salt.
  salt bytea not null
    default substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) from 1 for 16),
  acted_at timestamptz not null,
  constraint operator_acts_act_known foreign key (act) references known_acts on delete restrict,
  constraint operator_acts_subject_known foreign key (subject) references known_act_subjects on delete restrict,
  constraint operator_acts_reason check (btrim(reason) <> '' and length(reason) <= 500),
  constraint operator_acts_salt check (length(salt) = 16)
);
create index operator_acts_affected on operator_acts (affected_id, id desc);
create index operator_acts_subject on operator_acts (subject, subject_id, id desc);

-- Acts that are no leaf yet. An act leaves this table in its own transaction. No trigger fills it, so an act that was
-- inserted by SQL is found: it is neither here nor a leaf.
create table operator_acts_unlogged (
  act_id integer primary key references operator_acts on delete restrict
);

-- The affected person's answer to a decision, at most one for each decision, and what the operator decided about it.
create table appeals (
  act_id integer primary key references operator_acts on delete restrict,
  body text not null,
  outcome text,
  answer text,
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint appeals_body check (btrim(body) <> '' and length(body) <= 2000),
  constraint appeals_outcome_known check (outcome in ('upheld', 'reversed')),
  constraint appeals_decided_whole check (num_nulls(outcome, answer, decided_at) in (0, 3))
);
create index appeals_open on appeals (act_id) where outcome is null;

-- Requests that one operator makes and another one confirms: a change of the operators, or a large refund
-- (docs/decisions/023-operators.md).
create table operator_requests (
  id integer generated always as identity primary key,
  kind text not null,
  -- The account or the ad.
  subject_id integer not null,
  -- The role that the person gets by the confirmation. Null for a refund and a removal.
  role text,
  -- The amount of a refund when it was requested.
  amount_cents bigint,
  -- Whether everything that is left is refunded, which may be less by the time of the confirmation.
  is_everything boolean not null default false,
  reason text not null,
  requested_by integer not null references users on delete restrict,
  -- Null for the command line.
  decided_by integer references users on delete restrict,
  outcome text,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  constraint operator_requests_kind_known check (
    kind in ('add-operator', 'remove-operator', 'set-operator-role', 'refund')),
  constraint operator_requests_role_known check (role in ('owner', 'money', 'moderation', 'support', 'read')),
  constraint operator_requests_role check (kind <> 'set-operator-role' or role is not null),
  constraint operator_requests_amount check ((kind = 'refund') = (amount_cents is not null) and amount_cents > 0),
  constraint operator_requests_reason check (btrim(reason) <> '' and length(reason) <= 500),
  constraint operator_requests_outcome_known check (outcome in ('confirmed', 'declined', 'expired')),
  constraint operator_requests_decided check ((outcome is null) = (decided_at is null)),
  constraint operator_requests_two_people check (
    outcome is distinct from 'confirmed' or decided_by is distinct from requested_by)
);
create unique index operator_requests_open on operator_requests (kind, subject_id) where outcome is null;

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

-- The operators of the server, and everything that they decide.

-- The accounts that may use the operator console. This is no role of the marketplace: users choose their role, and only
-- another operator or the command line adds a row here.
create table operators (
  -- Without a cascade, so that the deletion of an account cannot remove the last operator.
  user_id integer primary key references users on delete restrict,
  added_at timestamptz not null
);

-- Everything that operators have done, with the reason. Append-only
-- (server/db/functions/operator_acts_append_only.sql). Each act is a leaf of the transparency log, so that one that is
-- changed or deleted later no longer fits the signed roots (docs/decisions/050-acts-in-the-log.md). The ids have no
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
  constraint operator_acts_act_known check (act in (
    'add-operator', 'remove-operator', 'suspend', 'restore', 'take-down', 'dismiss-reports', 'uphold', 'reverse',
    'end-sessions', 'reset-second-factor', 'resend-mail', 'retry-job', 'drop-job',
    'decide-ownership', 'refuse-claim', 'overrule-withdrawal', 'refund', 'retry-refund',
    'settle-suspense', 'pay-refund', 'hold', 'release', 'send-evidence', 'read-person',
    'request-add-operator', 'request-remove-operator', 'request-refund', 'decline-request')),
  constraint operator_acts_subject_known check (subject in ('person', 'website', 'zone', 'ad', 'mail', 'job')),
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
-- (docs/decisions/051-second-operator.md).
create table operator_requests (
  id integer generated always as identity primary key,
  kind text not null,
  -- The account or the ad.
  subject_id integer not null,
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
  constraint operator_requests_kind_known check (kind in ('add-operator', 'remove-operator', 'refund')),
  constraint operator_requests_amount check ((kind = 'refund') = (amount_cents is not null) and amount_cents > 0),
  constraint operator_requests_reason check (btrim(reason) <> '' and length(reason) <= 500),
  constraint operator_requests_outcome_known check (outcome in ('confirmed', 'declined', 'expired')),
  constraint operator_requests_decided check ((outcome is null) = (decided_at is null)),
  constraint operator_requests_two_people check (
    outcome is distinct from 'confirmed' or decided_by is distinct from requested_by)
);
create unique index operator_requests_open on operator_requests (kind, subject_id) where outcome is null;

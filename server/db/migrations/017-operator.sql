-- The accounts that may use the operator console. This is no role of the marketplace: users choose their role, and only
-- another operator or the command line adds a row here.
create table operators (
  -- Without a cascade, so that the deletion of an account cannot remove the last operator.
  user_id integer primary key references users on delete restrict,
  added_at timestamptz not null
);

-- A suspension by the operator. The owner can read the reason. While it lasts, nothing of it is sold or served
-- (server/db/functions/zone_suspended_since.sql and ad_held_since.sql).
alter table users
  add column suspended_at timestamptz,
  add column suspended_reason text,
  add constraint users_suspended_with_reason check ((suspended_at is null) = (coalesce(btrim(suspended_reason), '') = ''));
alter table websites
  add column suspended_at timestamptz,
  add column suspended_reason text,
  add constraint websites_suspended_with_reason
    check ((suspended_at is null) = (coalesce(btrim(suspended_reason), '') = ''));
alter table ad_zones
  add column suspended_at timestamptz,
  add column suspended_reason text,
  add constraint ad_zones_suspended_with_reason
    check ((suspended_at is null) = (coalesce(btrim(suspended_reason), '') = ''));
alter table ads
  add column suspended_at timestamptz,
  add column suspended_reason text,
  add constraint ads_suspended_with_reason check ((suspended_at is null) = (coalesce(btrim(suspended_reason), '') = ''));
-- The marketplace leaves out suspended publishers. This index is nearly empty, so that check costs nothing.
create index users_suspended on users (id) where suspended_at is not null;

-- Everything that operators have done, with the reason. Append-only (server/db/functions/operator_acts_append_only.sql).
-- The ids have no foreign keys, because the trail outlives what it names. It holds no name and no address of a person.
create table operator_acts (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  acted_at timestamptz not null,
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
  constraint operator_acts_act_known check (
    act in ('add-operator', 'remove-operator', 'suspend', 'restore', 'take-down', 'dismiss-reports', 'uphold', 'reverse',
      'end-sessions', 'reset-second-factor', 'resend-mail', 'retry-job', 'drop-job',
      'decide-ownership', 'overrule-withdrawal')),
  constraint operator_acts_subject_known check (subject in ('person', 'website', 'zone', 'ad', 'mail', 'job')),
  constraint operator_acts_reason check (btrim(reason) <> '' and length(reason) <= 500)
);
create index operator_acts_affected on operator_acts (affected_id, id desc);
create index operator_acts_subject on operator_acts (subject, subject_id, id desc);

-- The affected person's answer to a decision, at most one for each decision, and what the operator decided about it.
create table appeals (
  act_id integer primary key references operator_acts on delete restrict,
  body text not null,
  created_at timestamptz not null,
  outcome text,
  answer text,
  decided_at timestamptz,
  constraint appeals_body check (btrim(body) <> '' and length(body) <= 2000),
  constraint appeals_outcome_known check (outcome in ('upheld', 'reversed')),
  constraint appeals_decided_whole check (num_nulls(outcome, answer, decided_at) in (0, 3))
);
create index appeals_open on appeals (act_id) where outcome is null;

-- A report is open until the operator has decided about the ad. The mailed link leads to the console now and needs no key.
alter table ad_reports add column closed_at timestamptz, drop column key_hash;
create index ad_reports_open on ad_reports (ad_id, created_at) where closed_at is null;

-- The operator's queue of withdrawals that can still be overruled: those of months that are not finished.
create index withdrawals_of_month on withdrawals (from_hour) where overrules is null;

-- The operator's search. The expressions are those of server/operator/store-find.ts. Operators search rarely, so these
-- indexes keep their list of pending entries, which makes writes cheaper.
create index users_operator_search on users
  using gin ((email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops);
create index websites_operator_search on websites using gin ((name || ' ' || url) gin_trgm_ops);
create index ad_zones_operator_search on ad_zones using gin (name gin_trgm_ops);
create index ads_operator_search on ads
  using gin ((title || ' ' || description || ' ' || target_url) gin_trgm_ops);

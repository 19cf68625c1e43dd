-- The acts of operators are leaves of the ledger's log (docs/decisions/044-acts-in-the-log.md), so that one that is changed
-- or deleted later no longer fits the signed roots.
alter table operator_acts
  add column salt bytea not null
    default substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) from 1 for 16),
  add constraint operator_acts_salt check (length(salt) = 16),
  drop constraint operator_acts_act_known,
  add constraint operator_acts_act_known check (
    act in ('add-operator', 'remove-operator', 'suspend', 'restore', 'take-down', 'dismiss-reports', 'uphold', 'reverse',
      'end-sessions', 'reset-second-factor', 'resend-mail', 'retry-job', 'drop-job',
      'decide-ownership', 'refuse-claim', 'overrule-withdrawal', 'refund', 'retry-refund',
      'settle-suspense', 'pay-refund', 'hold', 'release', 'send-evidence', 'read-person',
      'request-add-operator', 'request-remove-operator', 'request-refund', 'decline-request'));

-- A leaf is a posting or an act.
alter table ledger_leaves
  alter column tx_id drop not null,
  alter column account_id drop not null,
  add column act_id integer unique references operator_acts on delete restrict,
  add constraint ledger_leaves_one_subject check (
    num_nulls(tx_id, account_id) in (0, 2) and num_nonnulls(tx_id, act_id) = 1);

-- Earlier versions did not record the first operator of a server in every case, or the row was added by SQL. Each operator
-- of today gets an act that says so. From here on, `openslot doctor` reports operators without an act.
insert into operator_acts (acted_at, operator_id, act, subject, subject_id, affected_id, reason)
  select now(), null, 'add-operator', 'person', o.user_id, o.user_id,
      'Was an operator since ' || to_char(o.added_at at time zone 'utc', 'YYYY-MM-DD') ||
      ' without an act, when the upgrade began to compare operators with acts'
    from operators o
    where 'add-operator' is distinct from (
      select a.act from operator_acts a
        where a.subject = 'person' and a.subject_id = o.user_id and a.act in ('add-operator', 'remove-operator')
        order by a.id desc limit 1);

-- Acts that are no leaf yet. An act leaves this table in its own transaction; those from before the upgrade with the next
-- act or root. No trigger fills it, so an act that was inserted by SQL is found: it is neither here nor a leaf.
create table operator_acts_unlogged (
  act_id integer primary key references operator_acts on delete restrict
);
insert into operator_acts_unlogged select id from operator_acts;

-- expand
-- The settings that the operator changes while the server runs (docs/decisions/088-settings-in-the-database.md).
set local lock_timeout = '500ms';

create table settings (
  name text primary key,
  -- As it is written in the environment.
  value text not null,
  changed_at timestamptz not null,
  -- The account of the operator. Null for the command line. No foreign key, as in operator_acts.
  changed_by integer
);

alter table operator_acts
  drop constraint operator_acts_act_known,
  add constraint operator_acts_act_known check (act in (
    'add-operator', 'remove-operator', 'suspend', 'restore', 'take-down', 'dismiss-reports', 'uphold', 'reverse',
    'end-sessions', 'reset-second-factor', 'resend-mail', 'retry-job', 'drop-job',
    'decide-ownership', 'refuse-claim', 'overrule-withdrawal', 'refund', 'retry-refund',
    'settle-suspense', 'pay-refund', 'hold', 'release', 'send-evidence', 'read-person',
    'request-add-operator', 'request-remove-operator', 'request-refund', 'decline-request',
    'set-setting', 'unset-setting')),
  drop constraint operator_acts_subject_known,
  add constraint operator_acts_subject_known check (
    subject in ('person', 'website', 'zone', 'ad', 'mail', 'job', 'setting'));

-- The settings that the environment of this server has. The database cannot have them, too.
alter table servers add column environment text[] not null default '{}';

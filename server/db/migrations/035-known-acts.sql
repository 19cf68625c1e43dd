-- expand
-- The acts of operators and their subjects become rows, so that a migration adds one without repeating all others
-- (domain/operator/acts.ts).
set local lock_timeout = '500ms';

create table known_acts (
  name text primary key
);

insert into known_acts (name) values
  ('add-operator'), ('remove-operator'), ('suspend'), ('restore'), ('take-down'), ('dismiss-reports'), ('uphold'),
  ('reverse'), ('end-sessions'), ('reset-second-factor'), ('resend-mail'), ('retry-job'), ('drop-job'),
  ('decide-ownership'), ('refuse-claim'), ('overrule-withdrawal'), ('refund'), ('retry-refund'), ('settle-suspense'),
  ('pay-refund'), ('hold'), ('release'), ('send-evidence'), ('read-person'), ('request-add-operator'),
  ('request-remove-operator'), ('request-refund'), ('decline-request'), ('set-setting'), ('unset-setting'),
  ('release-outbound');

create table known_act_subjects (
  name text primary key
);

insert into known_act_subjects (name) values
  ('person'), ('website'), ('zone'), ('ad'), ('mail'), ('job'), ('setting');

alter table operator_acts
  drop constraint operator_acts_act_known,
  add constraint operator_acts_act_known foreign key (act) references known_acts on delete restrict,
  drop constraint operator_acts_subject_known,
  add constraint operator_acts_subject_known foreign key (subject) references known_act_subjects on delete restrict;

-- expand
-- The act with which an operator releases everything outgoing after a restore (server/operator/outbound.ts).
set local lock_timeout = '500ms';

alter table operator_acts
  drop constraint operator_acts_act_known,
  add constraint operator_acts_act_known check (act in (
    'add-operator', 'remove-operator', 'suspend', 'restore', 'take-down', 'dismiss-reports', 'uphold', 'reverse',
    'end-sessions', 'reset-second-factor', 'resend-mail', 'retry-job', 'drop-job',
    'decide-ownership', 'refuse-claim', 'overrule-withdrawal', 'refund', 'retry-refund',
    'settle-suspense', 'pay-refund', 'hold', 'release', 'send-evidence', 'read-person',
    'request-add-operator', 'request-remove-operator', 'request-refund', 'decline-request',
    'set-setting', 'unset-setting', 'release-outbound'));

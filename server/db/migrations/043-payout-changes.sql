-- Opening the page on which a publisher says where payouts go is a security event, and holds all earnings for some days
-- (PAYOUT_CHANGE_HOLD_DAYS in docs/operations.md).

alter table holds
  drop constraint holds_reason_known,
  drop constraint holds_until_of_traffic,
  add constraint holds_reason_known check (reason in (
    'unverified_site', 'same_person', 'dispute', 'fraud_warning', 'traffic', 'operator', 'payout_change')),
  -- Both end by themselves.
  add constraint holds_end_by_themselves check ((until is not null) = (reason in ('traffic', 'payout_change')));

alter table security_events
  drop constraint security_events_kind_known,
  add constraint security_events_kind_known check (kind in (
    'signed-in', 'new-device', 'sign-in-failed', 'code-failed', 'locked-out', 'signed-out', 'session-ended',
    'signed-out-everywhere', 'reauthenticated', 'reauthentication-failed', 'password-changed', 'password-reset',
    'email-changed', 'email-verified', 'email-restored', 'role-changed', 'second-factor-on', 'second-factor-off',
    'second-factor-failed', 'recovery-code-used', 'recovery-codes-replaced', 'passkey-added', 'passkey-removed',
    'passkey-used', 'passkey-failed', 'passkey-copied', 'data-exported', 'payout-account-changed', 'payout-requested',
    'billing-portal-opened'));

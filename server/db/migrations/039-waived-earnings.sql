-- Earnings that publishers gave up when they deleted their accounts (docs/decisions/042-payees.md). They are income of the
-- marketplace, apart from its commission.
alter table ledger_accounts drop constraint ledger_accounts_kind_known;
alter table ledger_accounts add constraint ledger_accounts_kind_known check (kind in (
  'provider_clearing', 'provider_balance', 'bank', 'dispute_receivable', 'publisher_receivable',
  'deferred_publisher', 'deferred_commission', 'publisher_payable', 'refund_payable',
  'commission', 'waived_earnings', 'processing_fees', 'dispute_fees', 'dispute_losses', 'bad_debt', 'fx', 'suspense'));

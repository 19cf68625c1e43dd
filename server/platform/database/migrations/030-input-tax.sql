-- expand
-- The tax of self-billing documents is an account of the ledger, and is paid to publishers on top of their earnings
-- (docs/decisions/091-tax-is-a-liability.md).

set local lock_timeout = '5s';
alter table ledger_accounts drop constraint ledger_accounts_kind_known;
alter table ledger_accounts add constraint ledger_accounts_kind_known check (kind in (
  'provider_clearing', 'provider_balance', 'bank', 'dispute_receivable', 'publisher_receivable',
  'deferred_publisher', 'deferred_commission', 'publisher_payable', 'refund_payable',
  'commission', 'waived_earnings', 'processing_fees', 'dispute_fees', 'dispute_losses', 'bad_debt', 'fx',
  'suspense', 'tax_payable', 'input_tax', 'tax_deferred', 'cancel_fees', 'goodwill'));

-- The documents whose tax is booked. Those from before this migration have no mark, and their tax is in no account.
create index documents_input_tax on documents (user_id, book) where content ? 'publisherTax';

-- The tax on top belongs to no ad, and no charge has paid for it.
alter table payout_transfers alter column ad_id drop not null;
alter table payout_transfers alter column charge_id drop not null;
alter table payout_transfers add constraint payout_transfers_of_tax check ((ad_id is null) = (charge_id is null));
create unique index payout_transfers_tax_once on payout_transfers (payout_id) where ad_id is null;

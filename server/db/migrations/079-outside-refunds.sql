-- expand
-- Refunds that were made at the provider without a request of ours, as in its dashboard (docs/decisions/130-outside-refunds.md).
set local lock_timeout = '500ms';

alter table refunds
  -- The part that was neither owed to the advertiser nor undelivered. The marketplace bears it.
  add column goodwill_cents bigint not null default 0,
  -- The part that its credit note is about, if that is not all of it.
  add column note_cents bigint,
  drop constraint refunds_amount,
  drop constraint refunds_shares,
  -- An owed refund that was made outside in other parts is done with nothing left of it.
  add constraint refunds_amount check (
    (amount_cents > 0 or (amount_cents = 0 and status = 'done')) and commission_cents between 0 and amount_cents),
  add constraint refunds_shares check (
    publisher_cents >= 0 and goodwill_cents >= 0 and publisher_cents + commission_cents + goodwill_cents = amount_cents);
create index refunds_with_goodwill on refunds (payment_id) where goodwill_cents > 0;

-- A refund that was made outside can be on its way beside one of ours.
alter table refund_tries add column made_outside boolean not null default false;
drop index refund_tries_one_in_flight;
create unique index refund_tries_one_in_flight on refund_tries (payment_id)
  where state in ('trying', 'pending') and not made_outside;

alter table ledger_accounts
  drop constraint ledger_accounts_kind_known,
  add constraint ledger_accounts_kind_known check (kind in (
    'provider_clearing', 'provider_balance', 'bank', 'dispute_receivable', 'publisher_receivable',
    'deferred_publisher', 'deferred_commission', 'publisher_payable', 'refund_payable',
    'commission', 'waived_earnings', 'processing_fees', 'dispute_fees', 'dispute_losses', 'bad_debt', 'fx',
    'suspense', 'tax_payable', 'tax_deferred', 'cancel_fees', 'goodwill'));

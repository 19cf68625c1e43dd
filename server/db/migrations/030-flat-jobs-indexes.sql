-- expand
-- What the comparison with the provider reads: the entries and payments of the last days, and the movements that differ.
create index concurrently ledger_tx_moved on ledger_tx (recorded_at) where kind <> 'accrual';
create index concurrently payments_paid on payments (paid_at) where paid_at is not null;
create index concurrently provider_transactions_differing on provider_transactions (book)
  where ledger_tx_id is not null and not agrees;
-- The running ads that the operator has refunded in part, among all refunds.
create index concurrently refunds_by_operator on refunds (payment_id) where cause = 'operator';
-- The bounces that are old enough to be removed.
create index concurrently mail_bounces_at on mail_bounces (at);

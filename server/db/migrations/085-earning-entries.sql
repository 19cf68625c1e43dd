-- expand
-- Returns of lost disputes are read like the other entries that change earnings
-- (server/payments/ledger/earning-kinds.ts).

-- In steps
create index concurrently if not exists ledger_tx_earnings on ledger_tx (ad_id, recorded_at)
  where kind in ('accrual', 'correction', 'dispute_lost', 'dispute_recovered', 'tax');
drop index concurrently if exists ledger_tx_commission;

-- expand
-- The entries of an ad in a month that change what its publisher earned. Without it, the documents of a month read all
-- entries of each ad (server/payments/documents/store-months.ts).
create index concurrently ledger_tx_commission on ledger_tx (ad_id, recorded_at)
  where kind in ('accrual', 'correction', 'dispute_lost', 'tax');

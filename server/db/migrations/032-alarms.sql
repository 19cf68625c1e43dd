-- expand
-- The alarms that an operator has to act on (server/payments/books/alarms.ts).
set local lock_timeout = '500ms';

-- The UTC day of the last mail about each cause, so that all servers together send one a day.
create table alarm_mails (
  cause text primary key,
  day date not null
);

-- How much of the owed money was not covered when it was last summed up. The sum reads many postings, so it is kept.
create table uncovered_money (
  book text not null,
  currency text not null,
  amount_cents bigint not null,
  measured_at timestamptz not null,
  primary key (book, currency),
  constraint uncovered_money_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);

-- The transfers that the provider refused or the bank sent back, to find the payouts that failed lately.
create index payout_transfers_failed on payout_transfers (began_at) where state = 'refused' or bank_status = 'failed';

-- Payouts to publishers (docs/decisions/041-payouts.md).

-- Was never written.
drop table transfers;

-- One payout of a publisher: it is open until the provider has answered for each of its transfers. `account_id` is the
-- publisher's account at the provider. A row never changes otherwise (guard_payout).
create table payouts (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete restrict,
  book text not null,
  currency text not null,
  account_id text not null,
  -- What was available, which the transfers add up to.
  amount_cents bigint not null,
  requested_by text not null,
  status text not null default 'open',
  created_at timestamptz not null,
  constraint payouts_amount check (amount_cents > 0),
  constraint payouts_requested_by_known check (requested_by in ('schedule', 'publisher')),
  constraint payouts_status_known check (status in ('open', 'closed')),
  constraint payouts_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint payouts_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD'))
);
create unique index payouts_one_open on payouts (user_id, book) where status = 'open';
create index payouts_of_user on payouts (user_id, book, id desc);

-- The part of a payout that one ad has earned, as one transfer at the provider from the charge of that ad. `key` is its
-- idempotency key. The transfers of an ad never exceed what it has earned (guard_payout_transfer).
create table payout_transfers (
  id integer generated always as identity primary key,
  key uuid not null unique default gen_random_uuid(),
  payout_id integer not null references payouts on delete restrict,
  ad_id integer not null references ads on delete restrict,
  charge_id text not null,
  amount_cents bigint not null,
  state text not null default 'trying',
  provider_id text unique,
  -- What was taken back (transfer_reversals).
  reversed_cents bigint not null default 0,
  attempts integer not null default 0,
  began_at timestamptz not null,
  -- When the server asks the provider again. Null: never, unless an event of the provider arrives.
  look_at timestamptz,
  -- Why the provider refused it, in the provider's word.
  error text,
  -- The publisher's bank: which of the account's payouts carried it last, and how that ended.
  bank_payout_id text,
  bank_status text,
  bank_message text,
  constraint payout_transfers_amounts check (amount_cents > 0 and reversed_cents between 0 and amount_cents),
  constraint payout_transfers_state_known check (state in ('trying', 'sent', 'refused')),
  constraint payout_transfers_known_by_id check ((state = 'sent') = (provider_id is not null)),
  constraint payout_transfers_bank_status_known check (bank_status in ('pending', 'paid', 'failed')),
  constraint payout_transfers_once unique (payout_id, ad_id)
);
create index payout_transfers_ad on payout_transfers (ad_id);
create index payout_transfers_due on payout_transfers (look_at) where look_at is not null;
create index payout_transfers_bank on payout_transfers (bank_payout_id) where bank_payout_id is not null;

-- A part of a transfer that is taken back from the publisher's account, because the ad has lost earnings that were paid
-- out. The reversals of a transfer never exceed it (guard_transfer_reversal).
create table transfer_reversals (
  id integer generated always as identity primary key,
  key uuid not null unique default gen_random_uuid(),
  transfer_id integer not null references payout_transfers on delete restrict,
  amount_cents bigint not null,
  state text not null default 'trying',
  provider_id text unique,
  attempts integer not null default 0,
  began_at timestamptz not null,
  look_at timestamptz,
  error text,
  constraint transfer_reversals_amount check (amount_cents > 0),
  constraint transfer_reversals_state_known check (state in ('trying', 'done', 'refused')),
  constraint transfer_reversals_known_by_id check ((state = 'done') = (provider_id is not null))
);
create unique index transfer_reversals_one_in_flight on transfer_reversals (transfer_id) where state = 'trying';
create index transfer_reversals_transfer on transfer_reversals (transfer_id);
create index transfer_reversals_due on transfer_reversals (look_at) where look_at is not null;

-- The weekly payout that a publisher's balance was last looked at for, so that each week does it once.
create table payout_weeks (
  user_id integer not null references users on delete cascade,
  book text not null,
  week timestamptz not null,
  primary key (user_id, book),
  constraint payout_weeks_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);

-- The recent accruals of an ad, which are inside their hold days.
create index ledger_tx_accruals on ledger_tx (ad_id, occurred_at) where kind = 'accrual';
-- What took earnings back, which may have been paid out.
create index ledger_tx_reductions on ledger_tx (recorded_at) where kind in ('correction', 'dispute_lost');

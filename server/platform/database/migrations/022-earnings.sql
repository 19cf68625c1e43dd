-- The earnings of publishers, the holds on them, and their payouts.

-- The earnings of an ad so far: `units` delivered of `bought` ones, and its two shares (domain/payments/earned.ts).
-- Each accrual moves the row forward, and a withdrawal of traffic moves it back.
create table ad_earnings (
  ad_id integer primary key references ads on delete restrict,
  units bigint not null default 0,
  bought bigint not null,
  publisher_cents bigint not null default 0,
  commission_cents bigint not null default 0,
  -- The part of the earnings that lost disputes took back.
  taken_publisher_cents bigint not null default 0,
  taken_commission_cents bigint not null default 0,
  -- Numbers the entries, so that the same units can be earned again after a withdrawal was overruled.
  entries integer not null default 0,
  -- The units of the last entry. `units` may be a little ahead, where they did not amount to a whole cent.
  entry_units bigint not null default 0,
  -- The units of a per-day ad that ended before a withdrawal changed its days. Null: no withdrawal did.
  settled_units bigint,
  until timestamptz not null,
  -- When the next accrual is due. Null once the ad has ended and everything is posted.
  due_at timestamptz,
  -- Since when no entry can follow, because a dispute was lost.
  closed_at timestamptz,
  constraint ad_earnings_units check (units between 0 and bought and bought > 0),
  constraint ad_earnings_amounts check (publisher_cents >= 0 and commission_cents >= 0),
  constraint ad_earnings_entry_units check (entry_units between 0 and bought),
  constraint ad_earnings_settled_units check (settled_units between 0 and bought)
);
create index ad_earnings_due on ad_earnings (due_at, ad_id) where due_at is not null;

-- The earnings of each ad by the hour of their delivery, for the figures over time
-- (docs/decisions/029-earned-by-delivery.md). The ledger dates an accrual by its end, which can be long after the
-- delivery. accrueAd and the entries of lost disputes write these rows, and `openslot money check` compares them with
-- the ledger.
create table earned_hours (
  ad_id integer not null references ads on delete restrict,
  hour timestamptz not null,
  -- Negative in an hour in which traffic was withdrawn, or a dispute was lost.
  publisher_cents bigint not null,
  commission_cents bigint not null,
  primary key (ad_id, hour),
  constraint earned_hours_whole check (hour = date_trunc('hour', hour, 'utc'))
);
create index earned_hours_hour on earned_hours using brin (hour) with (autosummarize = on);

-- The ads whose earnings are complete, and of whose price a rest may have to be refunded. The trigger note_unsettled_ad
-- adds the rows, and the job removes each when it has looked.
create table unsettled_ads (
  ad_id integer primary key references ads on delete restrict
);

-- Earnings that must not be paid out yet.
create table holds (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete restrict,
  -- Null: all earnings of the publisher are on hold.
  ad_id integer references ads on delete restrict,
  reason text not null,
  -- The provider's object behind it, such as a dispute.
  external_ref text,
  -- A hold does not cover what the ad had earned before it began.
  earned_before_cents bigint not null default 0,
  made_at timestamptz not null,
  -- When it ends by itself. Null: it waits for a decision.
  until timestamptz,
  released_at timestamptz,
  constraint holds_reason_known check (reason in (
    'unverified_site', 'same_person', 'dispute', 'fraud_warning', 'traffic', 'operator', 'payout_change')),
  constraint holds_earned_before check (earned_before_cents >= 0),
  constraint holds_end_by_themselves check ((until is not null) = (reason in ('traffic', 'payout_change')))
);
create unique index holds_once on holds (user_id, ad_id, reason, external_ref) nulls not distinct
  where released_at is null;
create index holds_user on holds (user_id) where released_at is null;
create index holds_open on holds (id) where released_at is null;
create index holds_ad on holds (ad_id) where ad_id is not null;

-- A publisher's account at the payment provider (server/money/payees). Publishers can sell without one, but need one
-- for payouts.
create table payee_accounts (
  user_id integer not null references users on delete restrict,
  book text not null,
  -- Becomes the idempotency key of the account. The row is stored before the provider is called.
  key uuid not null default gen_random_uuid(),
  -- Null until the provider has answered.
  account_id text unique,
  -- The first call fixes it.
  country char(2) not null,
  state text not null default 'none',
  -- The data that the provider still needs, in its own words.
  requirements jsonb not null default '[]',
  -- Keyed hashes of the bank accounts and cards that receive the payouts, so that publishers who share one are found.
  destinations text[] not null default '{}',
  synced_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, book),
  constraint payee_accounts_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint payee_accounts_state_known check (state in ('none', 'pending', 'restricted', 'ready')),
  constraint payee_accounts_state_of_account check ((account_id is null) = (state = 'none'))
);
create index payee_accounts_destinations on payee_accounts using gin (destinations);

-- One payout of a publisher (docs/decisions/041-payouts.md): it is open until the provider has answered for each of its
-- transfers. A row never changes otherwise (guard_payout).
create table payouts (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete restrict,
  book text not null,
  -- The publisher's account at the provider.
  account_id text not null,
  -- The available balance, which the transfers add up to.
  amount_cents bigint not null,
  currency text not null,
  requested_by text not null,
  status text not null default 'open',
  created_at timestamptz not null,
  constraint payouts_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint payouts_amount check (amount_cents > 0),
  constraint payouts_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint payouts_requested_by_known check (requested_by in ('schedule', 'publisher')),
  constraint payouts_status_known check (status in ('open', 'closed'))
);
create unique index payouts_one_open on payouts (user_id, book) where status = 'open';
create index payouts_of_user on payouts (user_id, book, id desc);

-- The weekly payout that a publisher's balance was last looked at for, so that each week does it once. Each publisher
-- with an account of earnings has a row, also before the first turn. The trigger note_payout_turn adds it.
create table payout_weeks (
  user_id integer not null references users on delete cascade,
  book text not null,
  week timestamptz not null,
  primary key (user_id, book),
  constraint payout_weeks_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);
create index payout_weeks_due on payout_weeks (book, week);

-- The part of a payout that one ad has earned, as one transfer at the provider from the charge of that ad. The
-- transfers of an ad never exceed what it has earned (guard_payout_transfer).
create table payout_transfers (
  id integer generated always as identity primary key,
  -- The idempotency key.
  key uuid not null unique default gen_random_uuid(),
  payout_id integer not null references payouts on delete restrict,
  ad_id integer not null references ads on delete restrict,
  charge_id text not null,
  provider_id text unique,
  amount_cents bigint not null,
  -- The part that was taken back (transfer_reversals).
  reversed_cents bigint not null default 0,
  state text not null default 'trying',
  attempts integer not null default 0,
  -- Why the provider refused it, in the provider's word.
  error text,
  -- The publisher's bank: which of the account's payouts carried it last, and how that ended.
  bank_payout_id text,
  bank_status text,
  bank_message text,
  began_at timestamptz not null,
  -- When the server asks the provider again. Null: never, unless an event of the provider arrives.
  look_at timestamptz,
  constraint payout_transfers_once unique (payout_id, ad_id),
  constraint payout_transfers_amounts check (amount_cents > 0 and reversed_cents between 0 and amount_cents),
  constraint payout_transfers_state_known check (state in ('trying', 'sent', 'refused')),
  constraint payout_transfers_known_by_id check ((state = 'sent') = (provider_id is not null)),
  constraint payout_transfers_bank_status_known check (bank_status in ('pending', 'paid', 'failed'))
);
create index payout_transfers_ad on payout_transfers (ad_id);
create index payout_transfers_due on payout_transfers (look_at) where look_at is not null;
create index payout_transfers_bank on payout_transfers (bank_payout_id) where bank_payout_id is not null;
-- The transfers that the provider refused or the bank sent back, to find the payouts that failed lately.
create index payout_transfers_failed on payout_transfers (began_at) where state = 'refused' or bank_status = 'failed';

-- A part of a transfer that is taken back from the publisher's account, because the ad has lost earnings that were paid
-- out. The reversals of a transfer never exceed it (guard_transfer_reversal).
create table transfer_reversals (
  id integer generated always as identity primary key,
  -- The idempotency key.
  key uuid not null unique default gen_random_uuid(),
  transfer_id integer not null references payout_transfers on delete restrict,
  provider_id text unique,
  amount_cents bigint not null,
  state text not null default 'trying',
  attempts integer not null default 0,
  error text,
  began_at timestamptz not null,
  look_at timestamptz,
  constraint transfer_reversals_amount check (amount_cents > 0),
  constraint transfer_reversals_state_known check (state in ('trying', 'done', 'refused')),
  constraint transfer_reversals_known_by_id check ((state = 'done') = (provider_id is not null))
);
create unique index transfer_reversals_one_in_flight on transfer_reversals (transfer_id) where state = 'trying';
create index transfer_reversals_transfer on transfer_reversals (transfer_id);
create index transfer_reversals_due on transfer_reversals (look_at) where look_at is not null;

-- A double-entry ledger. Debits are positive, credits are negative, and each transaction sums to 0. The triggers of
-- server/platform/database/functions see to that: ledger_must_balance, ledger_is_append_only and others
-- (docs/decisions/029-earned-by-delivery.md).

create table ledger_accounts (
  id integer generated always as identity primary key,
  kind text not null,
  -- The id of the ad, the user, the dispute or the tax account, depending on `kind`. Null for the platform's own accounts.
  owner_id integer,
  currency text not null,
  book text not null,
  -- A leaf of the transparency log names its account by it.
  pseudonym uuid not null unique default gen_random_uuid(),
  constraint ledger_accounts_once unique nulls not distinct (kind, owner_id, currency, book),
  constraint ledger_accounts_kind_known check (kind in (
    'provider_clearing', 'provider_balance', 'bank', 'dispute_receivable', 'publisher_receivable',
    'deferred_publisher', 'deferred_commission', 'publisher_payable', 'refund_payable',
    'commission', 'waived_earnings', 'processing_fees', 'dispute_fees', 'dispute_losses', 'bad_debt', 'fx',
    'suspense', 'tax_payable', 'tax_deferred', 'cancel_fees', 'goodwill')),
  constraint ledger_accounts_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint ledger_accounts_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);
-- The lines of a statement: one person's accounts, in the order of recording.
create index ledger_accounts_owner on ledger_accounts (owner_id, kind) where owner_id is not null;

create table ledger_tx (
  id integer generated always as identity primary key,
  kind text not null,
  external_ref text not null,
  ad_id integer references ads on delete restrict,
  -- The explanation of the amount, such as {"from", "to", "of"}.
  meta jsonb not null default '{}',
  -- The provider's time, or the end of the delivery that the entry is for.
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  -- The database transaction that made the entry, which the trigger guard_ledger_tx writes. Postings can only be added
  -- in that one (server/platform/database/functions/ledger/guard_ledger_posting.sql).
  xact xid8,
  constraint ledger_tx_once unique (kind, external_ref)
);
create index ledger_tx_ad on ledger_tx (ad_id, id) where ad_id is not null;
-- The recent accruals of an ad, which are inside their hold days.
create index ledger_tx_accruals on ledger_tx (ad_id, occurred_at) where kind = 'accrual';
-- Reconciliation compares the entries of the last days with the provider's.
create index ledger_tx_recorded on ledger_tx (recorded_at);
-- Of these, the ones that can move money at the provider.
create index ledger_tx_moved on ledger_tx (recorded_at) where kind <> 'accrual';
-- The entries of an ad in a month that change what its publisher earned (server/money/ledger/balances.ts).
-- Without it, the documents of a month read all entries of each ad.
create index ledger_tx_earnings on ledger_tx (ad_id, recorded_at)
  where kind in ('accrual', 'correction', 'dispute_lost', 'dispute_recovered', 'tax');
-- The entries that took earnings back, which may have been paid out.
create index ledger_tx_reductions on ledger_tx (recorded_at) where kind in ('correction', 'dispute_lost');
create index ledger_tx_suspense on ledger_tx (id) where kind = 'suspense';
-- Finds the entry of a movement at the provider. Earnings by delivery, which are most entries, never move money there.
create index ledger_tx_external_ref on ledger_tx (external_ref) where kind <> 'accrual';

create table ledger_postings (
  tx_id integer not null references ledger_tx on delete restrict,
  account_id integer not null references ledger_accounts on delete restrict,
  amount_cents bigint not null,
  -- A leaf of the transparency log cannot be guessed without its salt.
  salt bytea not null
    default substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) from 1 for 16),
  primary key (tx_id, account_id),
  constraint ledger_postings_not_zero check (amount_cents <> 0),
  constraint ledger_postings_salt check (length(salt) = 16)
);
create index ledger_postings_account on ledger_postings (account_id, tx_id);

-- The balance of each account that must never be overdrawn. The trigger keep_ledger_balance writes it with each
-- posting.
create table ledger_balances (
  account_id integer primary key references ledger_accounts on delete restrict,
  amount_cents bigint not null
);

-- The change of each month on the accounts of publishers and advertisers, so that a statement reads the sums of earlier
-- months and the postings of its own month (docs/decisions/043-documents.md). The trigger keep_ledger_balance writes it
-- with each posting.
create table ledger_months (
  account_id integer not null references ledger_accounts on delete restrict,
  -- The first day of the month in UTC in which the entries were recorded.
  month date not null,
  amount_cents bigint not null,
  -- The lowest and the highest entry of the month. Entries of other months can lie between them, because the clocks of
  -- instances differ.
  first_tx integer not null,
  last_tx integer not null,
  primary key (account_id, month),
  constraint ledger_months_first_day check (extract(day from month) = 1)
);

-- The months in which no entry can be recorded any more (keep_months_closed).
create table closed_months (
  -- The first day of the month in UTC.
  month date primary key,
  closed_at timestamptz not null,
  -- When its commission notes and statements were all made.
  documented_at timestamptz,
  -- The highest number of an account that has got the mail about this month.
  mailed_through integer not null default 0,
  -- When everybody had it.
  mailed_at timestamptz,
  constraint closed_months_first_day check (extract(day from month) = 1)
);
create index closed_months_undocumented on closed_months (month) where documented_at is null;
create index closed_months_unmailed on closed_months (month) where mailed_at is null;

-- A double-entry ledger. Debits are positive, credits are negative, and each transaction sums to 0. The triggers
-- ledger_must_balance and ledger_is_append_only (server/db/functions) see to that.
create table ledger_accounts (
  id integer generated always as identity primary key,
  kind text not null,
  -- The id of the ad or the user, depending on `kind`. Null for the platform's own accounts.
  owner_id integer,
  currency char(3) not null,
  book text not null,
  constraint ledger_accounts_once unique nulls not distinct (kind, owner_id, currency, book),
  constraint ledger_accounts_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint ledger_accounts_kind_known check (kind in (
    'provider_clearing', 'provider_balance', 'bank', 'dispute_receivable', 'publisher_receivable',
    'deferred_publisher', 'deferred_commission', 'publisher_payable', 'refund_payable',
    'commission', 'processing_fees', 'dispute_fees', 'dispute_losses', 'bad_debt', 'fx', 'suspense'))
);

create table ledger_tx (
  id integer generated always as identity primary key,
  kind text not null,
  external_ref text not null,
  occurred_at timestamptz not null,
  meta jsonb not null default '{}',
  constraint ledger_tx_once unique (kind, external_ref)
);

create table ledger_postings (
  tx_id integer not null references ledger_tx on delete restrict,
  account_id integer not null references ledger_accounts on delete restrict,
  amount_cents bigint not null,
  primary key (tx_id, account_id),
  constraint ledger_postings_not_zero check (amount_cents <> 0)
);
create index ledger_postings_account on ledger_postings (account_id);

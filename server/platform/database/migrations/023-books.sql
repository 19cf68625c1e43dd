-- The marketplace's books: the comparison with the provider, money in suspense, and the operator's alarms.

-- Every movement of the balance at the provider, as the provider states it. Reconciliation compares them with the
-- ledger.
create table provider_transactions (
  id text primary key,
  book text not null,
  type text not null,
  source_id text,
  -- The entry that books it. Null until there is one.
  ledger_tx_id integer unique references ledger_tx on delete restrict,
  -- Whether the entry has the currency and the amount of the movement. Only the others can make the balances differ.
  agrees boolean not null default false,
  amount_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  -- The currency of the balance, which may differ from the marketplace's.
  currency text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  constraint provider_transactions_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint provider_transactions_whole check (amount_cents - fee_cents = net_cents)
);
create index provider_transactions_of_book on provider_transactions (book, created_at);
create index provider_transactions_unmatched on provider_transactions (book, created_at) where ledger_tx_id is null;
create index provider_transactions_differing on provider_transactions (book) where ledger_tx_id is not null and not agrees;

-- When each book was last compared with the provider.
create table reconciliations (
  book text primary key,
  finished_at timestamptz not null,
  constraint reconciliations_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);

-- Differences between the ledger and the provider. A row stays until a later comparison no longer finds it.
create table differences (
  book text not null,
  kind text not null,
  ref text not null,
  amount_cents bigint not null,
  currency text not null,
  -- When it was first found.
  since timestamptz not null,
  primary key (book, kind, ref),
  constraint differences_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);

-- The operator's decisions about money in suspense: of a payment, or of a movement at the provider that no sale
-- explains and that `tx_id` booked. Each is decided once, and never again (docs/decisions/044-operator-books.md).
create table suspense_decisions (
  id integer generated always as identity primary key,
  payment_id integer unique references payments on delete restrict,
  tx_id integer unique references ledger_tx on delete restrict,
  outcome text not null,
  decided_at timestamptz not null,
  constraint suspense_decisions_one_subject check (num_nonnulls(payment_id, tx_id) = 1),
  constraint suspense_decisions_outcome_known check (
    outcome in ('refunded', 'own_money', 'provider_fee', 'written_off'))
);

-- When everything in the books is checked next, and what the last check found (server/money/books/whole-check.ts).
create table whole_checks (
  is_only boolean primary key default true check (is_only),
  due_at timestamptz not null,
  -- When the last one ended. Null: none has ended yet.
  checked_at timestamptz,
  seconds integer,
  postings bigint,
  differences integer not null default 0,
  -- The first of them in words.
  first_difference text,
  -- Why the last try failed. Null: it ended.
  error text,
  constraint whole_checks_whole check ((checked_at is null) = (seconds is null) and (checked_at is null) = (postings is null))
);
-- Each installation has a time of the week of its own, so that those of one machine do not check at once.
insert into whole_checks (due_at) values (now() + interval '1 day' + random() * interval '6 days');

-- The UTC day of the last mail about each cause of an alarm (server/money/books/alarms.ts), so that all servers together
-- send one a day.
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

-- Every movement of the balance at the provider, as the provider states it. Reconciliation compares them with the ledger.
create table provider_transactions (
  id text primary key,
  book text not null,
  type text not null,
  source_id text,
  amount_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  -- The currency of the balance, which may differ from the marketplace's.
  currency text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- The entry that books it. Null until there is one.
  ledger_tx_id integer unique references ledger_tx on delete restrict,
  constraint provider_transactions_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint provider_transactions_whole check (amount_cents - fee_cents = net_cents)
);
create index provider_transactions_of_book on provider_transactions (book, created_at);
create index provider_transactions_unmatched on provider_transactions (book, created_at) where ledger_tx_id is null;
-- Finds what the other side lacks among the entries of the last days.
create index ledger_tx_recorded on ledger_tx (recorded_at);

-- When each book was last compared with the provider.
create table reconciliations (
  book text primary key,
  finished_at timestamptz not null,
  constraint reconciliations_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);

-- What the ledger and the provider disagree about. A row stays until a later comparison no longer finds the difference.
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

alter table operator_acts drop constraint operator_acts_act_known;
alter table operator_acts add constraint operator_acts_act_known check (
  act in ('add-operator', 'remove-operator', 'suspend', 'restore', 'take-down', 'dismiss-reports', 'uphold', 'reverse',
    'end-sessions', 'reset-second-factor', 'resend-mail', 'retry-job', 'drop-job',
    'decide-ownership', 'refuse-claim', 'overrule-withdrawal', 'refund', 'retry-refund'));

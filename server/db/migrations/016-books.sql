-- The marketplace's books: the comparison with the provider, money in suspense, and documents of record.

-- Every movement of the balance at the provider, as the provider states it. Reconciliation compares them with the
-- ledger.
create table provider_transactions (
  id text primary key,
  book text not null,
  type text not null,
  source_id text,
  -- The entry that books it. Null until there is one.
  ledger_tx_id integer unique references ledger_tx on delete restrict,
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

-- Receipts, credit notes, commission notes and statements (docs/decisions/043-documents.md). A row has everything that
-- the document says, frozen when it was made. The trigger documents_are_append_only keeps it.
create table documents (
  id integer generated always as identity primary key,
  book text not null,
  kind text not null,
  -- The year of the issue, in UTC, and the number in it. Each kind, year and book has a series without gaps, which the
  -- trigger number_document counts.
  year smallint not null default 0,
  serial integer not null default 0,
  number text not null generated always as (
    case kind when 'receipt' then 'R' when 'credit_note' then 'C' when 'commission_note' then 'N' else 'S' end
      || '-' || year::text || '-' || lpad(serial::text, greatest(6, length(serial::text)), '0')) stored,
  user_id integer not null references users on delete restrict,
  -- Of receipts and credit notes.
  payment_id integer references payments on delete restrict,
  refund_id integer references refunds on delete restrict,
  -- A lost dispute has a credit note, and a receipt if its money came back.
  dispute_id integer references disputes on delete restrict,
  -- The first day of the month, of commission notes and statements.
  month date,
  side text,
  amount_cents bigint not null,
  currency text not null,
  -- In thousandths of a percent. Null if no tax is shown.
  tax_rate integer,
  tax_cents bigint,
  -- The names, addresses and tax data of both parties, and what the document lists.
  seller jsonb not null,
  customer jsonb not null,
  content jsonb not null,
  issued_at timestamptz not null,
  constraint documents_number_once unique (book, kind, year, serial),
  constraint documents_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint documents_kind_known check (kind in ('receipt', 'credit_note', 'commission_note', 'statement')),
  constraint documents_side_known check (side in ('buyer', 'publisher')),
  constraint documents_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint documents_serial check (serial > 0),
  constraint documents_tax check ((tax_rate is null) = (tax_cents is null) and tax_rate between 0 and 100000),
  constraint documents_of_payment check ((payment_id is not null) = (kind in ('receipt', 'credit_note'))),
  constraint documents_of_refund check (refund_id is null or kind = 'credit_note'),
  constraint documents_of_dispute check (dispute_id is null or kind in ('receipt', 'credit_note')),
  constraint documents_of_credit check (kind <> 'credit_note' or num_nonnulls(refund_id, dispute_id) = 1),
  constraint documents_of_month check ((month is not null) = (kind in ('commission_note', 'statement'))),
  constraint documents_of_side check ((side is not null) = (kind = 'statement'))
);
create unique index documents_number on documents (number, book);
create index documents_owner on documents (user_id, book, id);
create unique index documents_receipt on documents (payment_id) where kind = 'receipt' and dispute_id is null;
create unique index documents_credit_note on documents (refund_id) where refund_id is not null;
create unique index documents_dispute on documents (dispute_id, kind) where dispute_id is not null;
create unique index documents_monthly on documents (month, kind, user_id, side, book, currency) nulls not distinct
  where month is not null;
-- The documents that change what a receipt says.
create index documents_credit_notes on documents (payment_id) where kind = 'credit_note' or dispute_id is not null;

-- The last number of each series.
create table document_series (
  book text not null,
  kind text not null,
  year smallint not null,
  last integer not null,
  primary key (book, kind, year),
  constraint document_series_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint document_series_kind_known check (kind in ('receipt', 'credit_note', 'commission_note', 'statement'))
);

-- The transparency log (docs/decisions/033-ledger-log.md) has a leaf for each posting, each document and each act of an
-- operator, the hashes of RFC 6962 above them, and a signed root for each day.

-- Postings that are no leaf yet wait here, where the trigger note_posting puts them.
create table ledger_unlogged (
  tx_id integer not null,
  account_id integer not null,
  primary key (tx_id, account_id),
  foreign key (tx_id, account_id) references ledger_postings on delete restrict
);

-- The leaves of a book are numbered from 0, without gaps, in the order in which they were added.
create table ledger_leaves (
  book text not null,
  index bigint not null,
  tx_id integer,
  account_id integer,
  act_id integer unique references operator_acts on delete restrict,
  document_id integer references documents on delete restrict,
  primary key (book, index),
  unique (tx_id, account_id),
  foreign key (tx_id, account_id) references ledger_postings on delete restrict,
  constraint ledger_leaves_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint ledger_leaves_one_subject check (
    num_nulls(tx_id, account_id) in (0, 2) and num_nonnulls(tx_id, act_id, document_id) = 1)
);
create unique index ledger_leaves_document on ledger_leaves (document_id) where document_id is not null;

-- The hashes of all complete subtrees: node `index` of `level` covers the leaves from index * 2^level on.
create table ledger_nodes (
  book text not null,
  level smallint not null,
  index bigint not null,
  hash bytea not null,
  primary key (book, level, index),
  constraint ledger_nodes_hash check (length(hash) = 32)
);

create table ledger_roots (
  book text not null,
  day date not null,
  size bigint not null,
  root bytea not null,
  -- PUBLIC_URL at the time, which is part of the signed text.
  public_url text not null,
  public_key bytea not null,
  signature bytea not null,
  -- The sums at that moment: owed to publishers and advertisers, and held at the provider to pay them.
  owed_cents bigint not null,
  held_cents bigint not null,
  currency text not null,
  signed_at timestamptz not null,
  primary key (book, day),
  constraint ledger_roots_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint ledger_roots_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint ledger_roots_whole check (length(root) = 32 and length(public_key) = 32 and length(signature) = 64)
);

-- The balances of the books on a signed day, from which the check of the books starts (docs/decisions/033-ledger-log.md),
-- signed with the key of the root of the same day. The postings of leaves below
-- the sizes are in the balances and in the hash, and all others came since.
create table ledger_openings (
  book text not null,
  day date not null,
  -- [[book, the number of leaves of its log], ...]
  sizes jsonb not null,
  -- The highest entry that there was.
  last_tx integer not null,
  -- [[book, currency, kind of account, cents], ...]
  balances jsonb not null,
  -- Over the change of each account in each month (server/money/transparency-log/store-opening.ts).
  months_hash bytea not null,
  signature bytea not null,
  primary key (book, day),
  foreign key (book, day) references ledger_roots on delete restrict,
  constraint ledger_openings_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint ledger_openings_whole check (length(months_hash) = 32 and length(signature) = 64)
);

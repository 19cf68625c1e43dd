-- The ledger as a log that anybody can check (docs/decisions/033-ledger-log.md): one leaf for each posting, the hashes of
-- RFC 6962 above them, and a signed root for each day.

-- A leaf names its account by a pseudonym, and nobody can guess a leaf without its salt.
alter table ledger_accounts add column pseudonym uuid not null unique default gen_random_uuid();
alter table ledger_postings
  add column salt bytea not null
    default substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) from 1 for 16),
  add constraint ledger_postings_salt check (length(salt) = 16);

-- Postings that are no leaf yet. The trigger note_posting adds them (server/db/functions).
create table ledger_unlogged (
  tx_id integer not null,
  account_id integer not null,
  primary key (tx_id, account_id),
  foreign key (tx_id, account_id) references ledger_postings on delete restrict
);
insert into ledger_unlogged select tx_id, account_id from ledger_postings;

-- The leaves of a book are numbered from 0, without gaps, in the order in which they were added.
create table ledger_leaves (
  book text not null,
  index bigint not null,
  tx_id integer not null,
  account_id integer not null,
  primary key (book, index),
  unique (tx_id, account_id),
  foreign key (tx_id, account_id) references ledger_postings on delete restrict,
  constraint ledger_leaves_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);

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
  signed_at timestamptz not null,
  public_key bytea not null,
  signature bytea not null,
  -- The sums at that moment: owed to publishers and advertisers, and held at the provider to pay them.
  owed_cents bigint not null,
  held_cents bigint not null,
  currency text not null,
  primary key (book, day),
  constraint ledger_roots_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint ledger_roots_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint ledger_roots_whole check (length(root) = 32 and length(public_key) = 32 and length(signature) = 64)
);

-- The lines of a statement: one person's accounts, in the order of recording.
create index ledger_accounts_owner on ledger_accounts (owner_id, kind) where owner_id is not null;

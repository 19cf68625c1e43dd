-- expand
-- The balances of the books on a signed day (docs/decisions/114-incremental-check.md).
set local lock_timeout = '500ms';

-- What the check of the books starts from, signed with the key of the root of the same day. The postings of leaves below
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
  -- Over the change of each account in each month (server/payments/transparency-log/store-opening.ts).
  months_hash bytea not null,
  signature bytea not null,
  primary key (book, day),
  foreign key (book, day) references ledger_roots on delete restrict,
  constraint ledger_openings_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint ledger_openings_whole check (length(months_hash) = 32 and length(signature) = 64)
);

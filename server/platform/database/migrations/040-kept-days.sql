-- expand
-- What was the operator's when the books were last summed up on a UTC day, so that the console can say how it changed
-- (server/money/books/books.ts). Negative: what was missing.

set local lock_timeout = '5s';
create table kept_days (
  book text not null,
  currency text not null,
  day date not null,
  kept_cents bigint not null,
  primary key (book, currency, day),
  constraint kept_days_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);

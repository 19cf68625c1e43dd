-- Documents of record (docs/decisions/043-documents.md): receipts, credit notes, commission notes and statements.

-- Where documents are addressed to, and whose tax rate a price contains.
alter table user_settings
  add column address text,
  add column country text,
  add constraint user_settings_country check (country ~ '^[A-Z]{2}$');

-- Everything that a document says, frozen when it was made. The trigger documents_are_append_only keeps it.
create table documents (
  id integer generated always as identity primary key,
  book text not null,
  kind text not null,
  -- Of the issue, in UTC. Each kind, year and book has a series without gaps, which the trigger number_document counts.
  year smallint not null default 0,
  serial integer not null default 0,
  number text not null generated always as (
    case kind when 'receipt' then 'R' when 'credit_note' then 'C' when 'commission_note' then 'N' else 'S' end
      || '-' || year::text || '-' || lpad(serial::text, greatest(6, length(serial::text)), '0')) stored,
  user_id integer not null references users on delete restrict,
  issued_at timestamptz not null,
  -- Of receipts and credit notes.
  payment_id integer references payments on delete restrict,
  refund_id integer references refunds on delete restrict,
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
  constraint documents_number_once unique (book, kind, year, serial),
  constraint documents_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint documents_kind_known check (kind in ('receipt', 'credit_note', 'commission_note', 'statement')),
  constraint documents_side_known check (side in ('buyer', 'publisher')),
  constraint documents_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint documents_serial check (serial > 0),
  constraint documents_tax check ((tax_rate is null) = (tax_cents is null) and tax_rate between 0 and 100000),
  constraint documents_of_payment check ((payment_id is not null) = (kind in ('receipt', 'credit_note'))),
  constraint documents_of_refund check ((refund_id is not null) = (kind = 'credit_note')),
  constraint documents_of_month check ((month is not null) = (kind in ('commission_note', 'statement'))),
  constraint documents_of_side check ((side is not null) = (kind = 'statement'))
);
create unique index documents_number on documents (number, book);
create unique index documents_receipt on documents (payment_id) where kind = 'receipt';
create unique index documents_credit_note on documents (refund_id) where refund_id is not null;
create index documents_credit_notes on documents (payment_id) where kind = 'credit_note';
create unique index documents_monthly on documents (month, kind, user_id, side, book, currency) nulls not distinct
  where month is not null;
create index documents_owner on documents (user_id, book, id);

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

-- The first day of each month in UTC that no entry can be recorded in any more (keep_months_closed).
create table closed_months (
  month date primary key,
  closed_at timestamptz not null,
  -- When its commission notes and statements were all made.
  documented_at timestamptz,
  constraint closed_months_first_day check (extract(day from month) = 1)
);
create index closed_months_undocumented on closed_months (month) where documented_at is null;

-- Payments and refunds from before this version, whose documents a job makes.
create table undocumented (
  id integer generated always as identity primary key,
  payment_id integer references payments on delete restrict,
  refund_id integer references refunds on delete restrict,
  constraint undocumented_one check (num_nonnulls(payment_id, refund_id) = 1)
);
insert into undocumented (payment_id)
  select id from payments where status in ('succeeded', 'orphaned') and paid_at is not null order by paid_at, id;
insert into undocumented (refund_id) select id from refunds where status in ('sent', 'done') and cause <> 'not_as_agreed' order by updated_at, id;

-- The line of a statement finds its credit note by the balance transaction of the refund.
create index refund_tries_taken on refund_tries (taken_by) where taken_by is not null;
create index refund_tries_returned on refund_tries (returned_by) where returned_by is not null;

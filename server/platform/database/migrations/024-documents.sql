-- Documents of record.

-- Receipts, credit notes, commission notes, self-billing documents and statements (docs/decisions/043-documents.md). A
-- row has everything that the document says, frozen when it was made. The trigger documents_are_append_only keeps it.
create table documents (
  id integer generated always as identity primary key,
  book text not null,
  kind text not null,
  -- The year of the issue, in UTC, and the number in it. Each kind, year and book has a series without gaps, which the
  -- trigger number_document counts. spell_document_number writes the number as people read it.
  year smallint not null default 0,
  serial integer not null default 0,
  number text not null default '',
  user_id integer not null references users on delete restrict,
  -- Of receipts and credit notes.
  payment_id integer references payments on delete restrict,
  refund_id integer references refunds on delete restrict,
  -- A lost dispute has a credit note, and a receipt if its money came back.
  dispute_id integer references disputes on delete restrict,
  -- The first day of the month, of commission notes, self-billing documents and statements.
  month date,
  side text,
  amount_cents bigint not null,
  currency text not null,
  -- In thousandths of a percent. Null if no tax is shown.
  tax_rate integer,
  tax_cents bigint,
  tax_country text,
  tax_reason text,
  tax_sentence text,
  -- The names, addresses and tax data of both parties, and what the document lists.
  seller jsonb not null,
  customer jsonb not null,
  content jsonb not null,
  issued_at timestamptz not null,
  -- A document is a leaf of the transparency log (docs/decisions/033-ledger-log.md), which cannot be guessed without its
  -- salt.
  salt bytea not null
    default substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) from 1 for 16),
  constraint documents_number_once unique (book, kind, year, serial),
  constraint documents_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint documents_kind_known check (
    kind in ('receipt', 'credit_note', 'commission_note', 'statement', 'self_billing')),
  constraint documents_side_known check (side in ('buyer', 'publisher')),
  constraint documents_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint documents_serial check (serial > 0),
  constraint documents_tax check (
    (tax_rate is null) = (tax_cents is null) and (tax_rate is null) = (tax_country is null)
    and tax_rate between 0 and 100000),
  constraint documents_of_payment check ((payment_id is not null) = (kind in ('receipt', 'credit_note'))),
  constraint documents_of_refund check (refund_id is null or kind = 'credit_note'),
  constraint documents_of_dispute check (dispute_id is null or kind in ('receipt', 'credit_note')),
  constraint documents_of_credit check (kind <> 'credit_note' or num_nonnulls(refund_id, dispute_id) = 1),
  constraint documents_of_month check (
    (month is not null) = (kind in ('commission_note', 'statement', 'self_billing'))),
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
-- The documents of a month by their owners. A receipt and a credit note belong to the month in which they were issued, all
-- others to the month that they are about.
create index documents_of_month
  on documents (book, (coalesce(month, date_trunc('month', issued_at at time zone 'utc')::date)), user_id);

-- The last number of each series.
create table document_series (
  book text not null,
  kind text not null,
  year smallint not null,
  last integer not null,
  primary key (book, kind, year),
  constraint document_series_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint document_series_kind_known check (
    kind in ('receipt', 'credit_note', 'commission_note', 'statement', 'self_billing'))
);

-- Documents that are no leaf yet. The trigger note_document puts them here.
create table documents_unlogged (
  document_id integer primary key references documents on delete restrict
);

-- The name and tax data of a deleted account for the documents of its last month. They are made after the month, and the
-- row is removed then.
create table closing_parties (
  user_id integer primary key references users on delete cascade,
  party jsonb not null,
  tax_status jsonb not null
);

-- expand
-- Checks of tax numbers at VIES, the tax status of publishers, and self-billing documents
-- (docs/decisions/096-tax-status.md).
set local lock_timeout = '500ms';

-- Every question to VIES, with its answer. Those of a sale stay as long as its documents.
create table tax_id_checks (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete restrict,
  country text not null,
  -- Without the prefix of the country.
  number text not null,
  result text not null,
  -- The register that answered: VIES, or the stand-in of the sandbox.
  register text not null,
  -- The register's identifier of the question, which proves it.
  request_id text,
  asked_at timestamptz not null,
  -- Null as long as there is no answer.
  answered_at timestamptz,
  -- When to ask again. Null with an answer.
  next_try_at timestamptz,
  tries integer not null default 1,
  constraint tax_id_checks_result_known check (result in ('unconfirmed', 'confirmed', 'refused')),
  constraint tax_id_checks_register_known check (register in ('vies', 'stand-in')),
  constraint tax_id_checks_answer check (
    (result = 'unconfirmed') = (answered_at is null) and (answered_at is null) = (next_try_at is not null))
);
create index tax_id_checks_number on tax_id_checks (user_id, country, number, id);
create index tax_id_checks_due on tax_id_checks (next_try_at) where next_try_at is not null;
-- The checks that wait for the operator are few of all.
create index tax_id_checks_open on tax_id_checks (id) where result <> 'confirmed';

-- The check of the number that this payment's documents name.
alter table payments add column tax_id_check_id integer references tax_id_checks on delete restrict;
create index payments_tax_id_check on payments (tax_id_check_id) where tax_id_check_id is not null;

-- The tax status that a publisher states. Null: not stated.
alter table user_settings
  add column tax_status text,
  add column charges_tax boolean not null default false,
  add column agrees_to_self_billing boolean not null default false,
  add constraint user_settings_tax_status_known check (tax_status in ('private', 'small_business', 'business'));

-- A self-billing document has a series and a letter of its own. The trigger spell_document_number writes the numbers of
-- all kinds from now on, also for a server of the release before.
alter table documents
  alter column number drop expression,
  alter column number set default '',
  drop constraint documents_kind_known,
  add constraint documents_kind_known check (
    kind in ('receipt', 'credit_note', 'commission_note', 'statement', 'self_billing')),
  drop constraint documents_of_month,
  add constraint documents_of_month check (
    (month is not null) = (kind in ('commission_note', 'statement', 'self_billing')));

alter table document_series
  drop constraint document_series_kind_known,
  add constraint document_series_kind_known check (
    kind in ('receipt', 'credit_note', 'commission_note', 'statement', 'self_billing'));

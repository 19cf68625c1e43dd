-- expand
-- The tax inside a price is owed to a state (docs/decisions/091-tax-is-a-liability.md).
set local lock_timeout = '500ms';

-- A country and a rate. Its id is the owner of an account `tax_payable`.
create table tax_accounts (
  id integer generated always as identity primary key,
  country text not null,
  -- In thousandths of a percent.
  rate integer not null,
  constraint tax_accounts_once unique (country, rate),
  constraint tax_accounts_rate check (rate between 0 and 100000)
);

alter table payments
  -- Null: no tax is shown.
  add column tax_account_id integer references tax_accounts on delete restrict,
  add column tax_cents bigint not null default 0,
  -- Why nothing is charged, and the sentence that the documents say about it.
  add column tax_reason text,
  add column tax_sentence text,
  -- Whether the commission was of the net amount or of the price.
  add column tax_split text,
  add constraint payments_tax check (tax_cents between 0 and amount_cents
    and (tax_cents = 0 or (tax_account_id is not null and tax_split is not null))) not valid,
  add constraint payments_tax_reason_known check (tax_reason in ('reverse_charge', 'not_taxed')),
  add constraint payments_tax_split_known check (tax_split in ('net', 'gross'));

alter table documents
  add column tax_country text,
  add column tax_reason text,
  add column tax_sentence text;

alter table ledger_accounts
  drop constraint ledger_accounts_kind_known,
  add constraint ledger_accounts_kind_known check (kind in (
    'provider_clearing', 'provider_balance', 'bank', 'dispute_receivable', 'publisher_receivable',
    'deferred_publisher', 'deferred_commission', 'publisher_payable', 'refund_payable',
    'commission', 'waived_earnings', 'processing_fees', 'dispute_fees', 'dispute_losses', 'bad_debt', 'fx',
    'suspense', 'tax_payable', 'tax_deferred'));

insert into known_acts (name) values ('pay-tax');
insert into known_act_subjects (name) values ('tax');

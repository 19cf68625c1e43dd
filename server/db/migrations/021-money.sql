-- The common ground of real payments. The migrations after it add what checkout, ledger, refunds, sandbox and
-- reconciliation need.

-- Names this installation to the payment provider, so that another database's objects are never taken for ours. The first
-- sale fixes the currency.
create table installation (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  currency text,
  constraint installation_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD'))
);
insert into installation default values;

-- `occurred_at` is the provider's time or the end of the delivery that an entry is for; `recorded_at` is ours. `meta` holds
-- what explains the amount, such as {"from", "to", "of"}. `ad_id` finds the entries of an ad.
alter table ledger_tx
  add column recorded_at timestamptz not null default now(),
  add column ad_id integer references ads on delete restrict;
create index ledger_tx_ad on ledger_tx (ad_id, id) where ad_id is not null;

-- What an ad has earned so far: E and C of `units` delivered units of `bought` ones (domain/payments/earned.ts). Each
-- accrual moves the row forward, and a withdrawal of traffic moves it back.
create table ad_earnings (
  ad_id integer primary key references ads on delete restrict,
  units bigint not null default 0,
  bought bigint not null,
  publisher_cents bigint not null default 0,
  commission_cents bigint not null default 0,
  until timestamptz not null,
  constraint ad_earnings_units check (units between 0 and bought and bought > 0),
  constraint ad_earnings_amounts check (publisher_cents >= 0 and commission_cents >= 0)
);

-- Why an ad ended. Null while it runs.
alter table ads
  add column ended_reason text,
  add constraint ads_ended_reason_known check (ended_reason in (
    'delivered', 'canceled', 'taken_down', 'tag_silent', 'quota_unfinished', 'publisher_suspended', 'fraud_warning',
    'operator'));
update ads set ended_reason = case when taken_down_reason is null then 'delivered' else 'taken_down' end
  where status = 'completed';
alter table ads add constraint ads_completed_with_reason check ((ended_reason is not null) = (status = 'completed'));

-- Earnings that must not be paid out yet. A hold without an ad is for all earnings of the publisher.
create table holds (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete restrict,
  ad_id integer references ads on delete restrict,
  reason text not null,
  -- The provider's object behind it, such as a dispute.
  external_ref text,
  made_at timestamptz not null,
  released_at timestamptz,
  constraint holds_reason_known check (reason in (
    'unverified_site', 'same_person', 'dispute', 'fraud_warning', 'traffic', 'operator'))
);
create unique index holds_once on holds (ad_id, reason, external_ref) nulls not distinct where released_at is null;
create index holds_user on holds (user_id) where released_at is null;

-- An ad with an open dispute is not served, and its clock stands (ad_held_since).
create table disputes (
  id integer generated always as identity primary key,
  dispute_id text not null unique,
  payment_id integer not null references payments on delete restrict,
  -- The provider's word, which may be one that we do not know yet.
  status text not null,
  amount_cents bigint not null,
  currency text not null,
  due_at timestamptz,
  opened_at timestamptz not null,
  closed_at timestamptz,
  constraint disputes_amount check (amount_cents >= 0)
);
create index disputes_payment on disputes (payment_id);

-- As text with a closed list, so that the generated types have the list.
alter table payments alter column currency type text;
alter table ledger_accounts alter column currency type text;
alter table payments add constraint payments_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD'));
alter table ledger_accounts add constraint ledger_accounts_currency_known
  check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD'));
alter table disputes add constraint disputes_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD'));

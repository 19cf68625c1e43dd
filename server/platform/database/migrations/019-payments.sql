-- Payments, and the objects and events of the payment provider. A book is live, test or sandbox money. No sum ever
-- mixes books.

-- Every question to VIES about a tax number, with its answer (docs/decisions/091-tax-is-a-liability.md). Those of a
-- sale stay as long as its documents.
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

-- A country and a rate. The tax inside a price is owed to a state (docs/decisions/091-tax-is-a-liability.md): the id is the
-- owner of an account `tax_payable`.
create table tax_accounts (
  id integer generated always as identity primary key,
  country text not null,
  -- In thousandths of a percent.
  rate integer not null,
  constraint tax_accounts_once unique (country, rate),
  constraint tax_accounts_rate check (rate between 0 and 100000)
);

-- One row per payment intent. An ad has at most one successful payment and at most one open one. The trigger
-- guard_payment (server/platform/database/functions) keeps what a payment is for, and the order of its states.
create table payments (
  id integer generated always as identity primary key,
  ad_id integer not null references ads on delete restrict,
  user_id integer not null references users on delete restrict,
  book text not null,
  -- Becomes the idempotency key of the intent. It may change only while the intent is unknown.
  key uuid not null default gen_random_uuid(),
  intent_id text unique,
  charge_id text unique,
  -- The customer that the intent was made for.
  customer_id text,
  amount_cents bigint not null,
  commission_cents bigint not null,
  currency text not null,
  -- Null: no tax is shown.
  tax_account_id integer references tax_accounts on delete restrict,
  tax_cents bigint not null default 0,
  -- Why nothing is charged, and the sentence that the documents say about it.
  tax_reason text,
  tax_sentence text,
  -- Whether the commission was of the net amount or of the price.
  tax_split text,
  -- The check of the number that this payment's documents name.
  tax_id_check_id integer references tax_id_checks on delete restrict,
  -- The fee without its tax, stored once, so that its readers need not know how a tax was split. With the split net,
  -- the tax is beside the fee, and with gross it is inside.
  fee_cents bigint not null
    generated always as (commission_cents - case tax_split when 'net' then tax_cents else 0 end) stored,
  -- The person or company that the receipt names, if not the one of the settings.
  receipt_for jsonb,
  -- The version of the operator's terms that the advertiser accepted at the checkout. Null without terms.
  accepted_terms integer,
  -- The amount that arrived for a payment in suspense. It may differ from the agreed one, and so may its currency.
  received_cents bigint,
  received_currency text,
  -- A keyed hash of the network that asked for the intent.
  network text,
  -- A keyed hash of the card that was declined last, or that paid, so that one person on both sides is found
  -- (server/money/payees/same-person.ts).
  card text,
  status text not null default 'open',
  -- The problem that the last check found.
  problem text,
  -- The checks since the last change, for the backoff.
  checks integer not null default 0,
  -- When to ask the provider again. Null once its answer is final.
  next_check_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payments_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint payments_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint payments_received_currency_known check (received_currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint payments_status_known check (status in ('open', 'succeeded', 'canceled', 'orphaned', 'suspense')),
  constraint payments_problem_known check (problem in ('unreachable', 'unknown', 'not_as_agreed', 'error')),
  constraint payments_amount check (amount_cents > 0 and commission_cents between 0 and amount_cents),
  constraint payments_received check (received_cents is null or (received_cents > 0 and status = 'suspense')),
  constraint payments_tax check (
    tax_cents between 0 and amount_cents
    and (tax_cents = 0 or (tax_account_id is not null and tax_split is not null))),
  constraint payments_tax_reason_known check (tax_reason in ('reverse_charge', 'not_taxed')),
  constraint payments_tax_split_known check (tax_split in ('net', 'gross')),
  constraint payments_succeeded_whole check (
    status <> 'succeeded' or (intent_id is not null and charge_id is not null and paid_at is not null))
);
create unique index payments_one_open on payments (ad_id) where status = 'open';
create unique index payments_one_succeeded on payments (ad_id) where status = 'succeeded';
create index payments_ad on payments (ad_id);
create index payments_owner on payments (user_id);
-- Settings › Billing lists an advertiser's payments, newest first.
create index payments_paid_by on payments (user_id, paid_at desc, id desc) where paid_at is not null;
-- The comparison with the provider reads the payments of the last days.
create index payments_paid on payments (paid_at) where paid_at is not null;
create index payments_due on payments (book, next_check_at) where next_check_at is not null;
create index payments_open_card on payments (card) where status = 'open' and card is not null;
create index payments_open_network on payments (network) where status = 'open' and network is not null;
create index payments_paid_card on payments (user_id, card) where status = 'succeeded' and card is not null;
create index payments_tax_id_check on payments (tax_id_check_id) where tax_id_check_id is not null;

-- A customer exists once for each user and book, because a provider does not know the customers of another.
create table provider_customers (
  user_id integer not null references users on delete cascade,
  book text not null,
  -- Becomes the idempotency key of the customer.
  key uuid not null default gen_random_uuid(),
  customer_id text,
  created_at timestamptz not null,
  primary key (user_id, book),
  constraint provider_customers_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);

-- Attempts to pay by card. The server limits them per user, card and network, so that attackers cannot test card
-- numbers. It deletes an attempt that succeeds.
create table card_attempts (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- Keyed hashes.
  card text,
  network text,
  -- Keeps a decline that the provider reports twice from being counted twice.
  event_id text unique,
  created_at timestamptz not null
);
create index card_attempts_user on card_attempts (user_id, created_at);
create index card_attempts_card on card_attempts (card, created_at) where card is not null;
create index card_attempts_network on card_attempts (network, created_at) where network is not null;
create index card_attempts_age on card_attempts (created_at);

-- "Pay when approved": an advertiser saves a card and allows us to charge it for some of their ads, up to a limit
-- (docs/decisions/028-checkout.md).
create table payment_consents (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  book text not null,
  -- Becomes the idempotency key of the setup at the provider.
  key uuid not null default gen_random_uuid(),
  limit_cents bigint not null,
  currency text not null,
  state text not null default 'needs_card',
  setup_id text unique,
  customer_id text,
  card_id text,
  card_brand text,
  card_last4 text,
  card_exp_month smallint,
  card_exp_year smallint,
  -- The evidence: the sentences that the advertiser accepted, and a keyed hash of their network.
  agreed_text text not null,
  network text not null,
  -- The version of the operator's terms that the advertiser accepted with it. Null without terms.
  accepted_terms integer,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  withdrawn_at timestamptz,
  -- When the provider was asked to forget the card.
  forgotten_at timestamptz,
  constraint payment_consents_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint payment_consents_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint payment_consents_state_known check (state in ('needs_card', 'active', 'withdrawn')),
  constraint payment_consents_limit check (limit_cents > 0),
  constraint payment_consents_active_whole check (
    state <> 'active' or (card_id is not null and card_last4 is not null and customer_id is not null
      and confirmed_at is not null))
);
create index payment_consents_owner on payment_consents (user_id, id desc);
create index payment_consents_unfinished on payment_consents (created_at) where state = 'needs_card';

-- The ads that a consent covers. `waiting` becomes `charging` once, before the provider is asked.
create table consent_ads (
  id integer generated always as identity primary key,
  consent_id integer not null references payment_consents on delete cascade,
  ad_id integer not null references ads on delete cascade,
  -- The price of the ad, which does not change after its submission.
  amount_cents bigint not null,
  state text not null default 'waiting',
  payment_id integer references payments,
  attempts integer not null default 0,
  next_try_at timestamptz not null,
  changed_at timestamptz not null,
  constraint consent_ads_state_known check (
    state in ('waiting', 'charging', 'paid', 'needs_action', 'failed', 'withdrawn')),
  constraint consent_ads_amount check (amount_cents > 0),
  constraint consent_ads_charged check (state <> 'charging' or payment_id is not null)
);
create unique index consent_ads_one_live on consent_ads (ad_id) where state in ('waiting', 'charging');
create index consent_ads_consent on consent_ads (consent_id, id);
create index consent_ads_ad on consent_ads (ad_id, id desc);
create index consent_ads_due on consent_ads (next_try_at) where state in ('waiting', 'charging');
create index consent_ads_payment on consent_ads (payment_id) where payment_id is not null;

-- The inbox of the provider's events. The server marks an event as done in the transaction of its effects. An event
-- that fails waits longer each time, so that it does not hold up the others.
create table provider_events (
  id text primary key,
  source text not null,
  type text not null,
  payload jsonb not null,
  tries integer not null default 0,
  last_error text,
  created_at timestamptz not null,
  received_at timestamptz not null default now(),
  next_try_at timestamptz,
  done_at timestamptz,
  constraint provider_events_source_known check (source in ('account', 'connect'))
);
create index provider_events_waiting on provider_events ((coalesce(next_try_at, received_at))) where done_at is null;

-- Until when lost events were fetched, and when to look again.
create table provider_polls (
  book text primary key,
  polled_until timestamptz not null,
  next_poll_at timestamptz not null,
  constraint provider_polls_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);

-- Webhooks that were refused because of their signature: a wrong secret, or a forger.
create table webhook_refusals (
  day date not null,
  source text not null,
  refused bigint not null,
  primary key (day, source),
  constraint webhook_refusals_source_known check (source in ('account', 'connect'))
);

-- The objects of the sandbox, which stands in for a real card provider.
create table sandbox_objects (
  id text primary key,
  kind text not null,
  -- The object that this one belongs to, such as the intent of a refund.
  parent text,
  -- The provider answers a repeated call that has the same key with the same object.
  idempotency_key text unique,
  data jsonb not null,
  -- When, by the marketplace's clock, the object goes on by itself: a fee becomes known, a pending refund arrives.
  due_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sandbox_objects_parent on sandbox_objects (parent, kind) where parent is not null;
create index sandbox_objects_newest on sandbox_objects (kind, created_at desc, id desc);
create index sandbox_objects_due on sandbox_objects (due_at) where due_at is not null;

-- Payments, and the objects and events of the payment provider. A book is live, test or sandbox money. No sum ever
-- mixes books.

create table installation (
  only_row boolean primary key default true check (only_row),
  -- Names this installation to the payment provider, so that another database's objects are never taken for ours.
  id uuid not null default gen_random_uuid(),
  -- The first sale fixes it.
  currency text,
  -- The book of the last sale. A change of the provider is noticed by it (server/payments/checkout/customers.ts).
  book text,
  -- In development, /dev/clock moves the marketplace's clock forward by this much. Whole seconds, so that the clock and
  -- the wall clock always start a second at the same moment (server/delivery/snapshot/reservations.ts).
  clock_ahead_ms bigint not null default 0,
  constraint installation_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint installation_clock check (clock_ahead_ms >= 0 and clock_ahead_ms % 1000 = 0)
);
insert into installation default values;

-- One row per payment intent. An ad has at most one successful payment and at most one open one. The trigger
-- guard_payment (server/db/functions) keeps what a payment is for, and the order of its states.
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
  currency text not null default 'USD',
  -- The amount that arrived for a payment in suspense. It may differ from the agreed one, and so may its currency.
  received_cents bigint,
  received_currency text,
  -- A keyed hash of the network that asked for the intent.
  network text,
  -- A keyed hash of the card that was declined last, or that paid, so that one person on both sides is found
  -- (server/payments/payees/same-person.ts).
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
  constraint payments_succeeded_whole check (
    status <> 'succeeded' or (intent_id is not null and charge_id is not null and paid_at is not null))
);
create unique index payments_one_open on payments (ad_id) where status = 'open';
create unique index payments_one_succeeded on payments (ad_id) where status = 'succeeded';
create index payments_ad on payments (ad_id);
create index payments_owner on payments (user_id);
-- Settings › Billing lists an advertiser's payments, newest first.
create index payments_paid_by on payments (user_id, paid_at desc, id desc) where paid_at is not null;
create index payments_due on payments (book, next_check_at) where next_check_at is not null;
create index payments_open_card on payments (card) where status = 'open' and card is not null;
create index payments_open_network on payments (network) where status = 'open' and network is not null;
create index payments_paid_card on payments (user_id, card) where status = 'succeeded' and card is not null;

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

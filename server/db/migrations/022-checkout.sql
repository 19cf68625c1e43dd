-- Checkout with a real provider: keys that no other database has, backoff for each row, customers per provider, card
-- testing, disputes.

-- Which book the installation sold in last. A change of provider is noticed by it (server/payments/customers.ts).
alter table installation add column book text;

-- `key` becomes the idempotency key of the intent. It may change only while the intent is unknown. `customer_id` is the
-- customer that the intent was made for. `next_check_at` is when to ask the provider again, and null once its answer is
-- final; `checks` counts, for the backoff; `problem` is what the last check found wrong. `network` and `card` are keyed
-- hashes of who asked for the intent and of the card that was declined last.
alter table payments
  add column key uuid not null default gen_random_uuid(),
  add column customer_id text,
  add column next_check_at timestamptz,
  add column checks integer not null default 0,
  add column problem text,
  add column network text,
  add column card text,
  drop constraint payments_status_known,
  add constraint payments_status_known check (status in ('open', 'succeeded', 'canceled', 'orphaned', 'suspense')),
  add constraint payments_problem_known check (problem in ('unreachable', 'unknown', 'not_as_agreed', 'error'));
update payments set next_check_at = checked_at + interval '5 minutes' where status in ('open', 'canceled');
drop index payments_open;
alter table payments drop column checked_at;
create index payments_ad on payments (ad_id);
create index payments_due on payments (book, next_check_at) where next_check_at is not null;
create index payments_open_card on payments (card) where status = 'open' and card is not null;
create index payments_open_network on payments (network) where status = 'open' and network is not null;

-- A customer exists once for each user and book, because another provider does not know the ids of this one.
create table provider_customers (
  user_id integer not null references users on delete cascade,
  book text not null,
  key uuid not null default gen_random_uuid(),
  customer_id text,
  created_at timestamptz not null,
  primary key (user_id, book),
  constraint provider_customers_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'))
);
insert into provider_customers (user_id, book, customer_id, created_at)
  select id, 'sandbox', stripe_customer_id, created_at from users where stripe_customer_id is not null;

alter table payee_accounts
  add column book text not null default 'sandbox',
  drop constraint payee_accounts_pkey,
  add primary key (user_id, book),
  add constraint payee_accounts_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox'));
alter table payee_accounts alter column book drop default;

-- The intents of the sandbox that are open now are ours, and name us from now on.
update sandbox_objects
  set data = jsonb_set(data, '{metadata,installation}', to_jsonb((select id::text from installation)))
  where kind = 'pi' and data ? 'metadata';
update payments p set customer_id = o.data ->> 'customerId'
  from sandbox_objects o where o.id = p.intent_id and o.kind = 'pi';

-- An event that fails waits longer each time, so that it does not hold up the others.
alter table provider_events
  add column tries integer not null default 0,
  add column next_try_at timestamptz,
  add column last_error text;
drop index provider_events_waiting;
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

-- `event_id` keeps a decline that the provider reports twice from being counted twice.
alter table card_attempts
  add column card text,
  add column network text,
  add column event_id text unique;
create index card_attempts_card on card_attempts (card, created_at) where card is not null;
create index card_attempts_network on card_attempts (network, created_at) where network is not null;
create index card_attempts_age on card_attempts (created_at);

-- Since when a dispute keeps the ad from being shown. Its clock stands (ad_held_since).
alter table ads add column disputed_at timestamptz;
alter table disputes add column updated_at timestamptz not null default now();
create index holds_ad on holds (ad_id) where ad_id is not null;

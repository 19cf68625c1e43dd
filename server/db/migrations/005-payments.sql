-- One row per payment intent. An ad has at most one successful payment and at most one open one. The trigger
-- guard_payment (server/db/functions) keeps what a payment is for, and the order of its states.
create table payments (
  id integer generated always as identity primary key,
  ad_id integer not null references ads on delete restrict,
  user_id integer not null references users on delete restrict,
  -- Live, test and sandbox money. No sum ever mixes them.
  book text not null,
  intent_id text unique,
  amount_cents bigint not null,
  commission_cents bigint not null,
  currency char(3) not null default 'USD',
  status text not null default 'open',
  charge_id text unique,
  paid_at timestamptz,
  -- When the server last asked the provider about it.
  checked_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payments_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint payments_status_known check (status in ('open', 'succeeded', 'canceled', 'orphaned')),
  constraint payments_amount check (amount_cents > 0 and commission_cents between 0 and amount_cents),
  constraint payments_succeeded_whole check (
    status <> 'succeeded' or (intent_id is not null and charge_id is not null and paid_at is not null))
);
create unique index payments_one_open on payments (ad_id) where status = 'open';
create unique index payments_one_succeeded on payments (ad_id) where status = 'succeeded';
create index payments_owner on payments (user_id);
create index payments_open on payments (checked_at) where status = 'open';

-- The inbox of the provider's events. The server marks an event as done in the transaction of its effects.
create table provider_events (
  id text primary key,
  source text not null,
  type text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  received_at timestamptz not null default now(),
  done_at timestamptz,
  constraint provider_events_source_known check (source in ('account', 'connect'))
);
create index provider_events_waiting on provider_events (received_at) where done_at is null;

create table refunds (
  id integer generated always as identity primary key,
  payment_id integer not null references payments on delete restrict,
  refund_id text unique,
  amount_cents bigint not null,
  -- The platform's share of the amount. The rest is the publisher's.
  commission_cents bigint not null,
  reason text not null,
  status text not null default 'open',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint refunds_amount check (amount_cents > 0 and commission_cents between 0 and amount_cents),
  constraint refunds_status_known check (status in ('open', 'pending', 'succeeded', 'failed', 'canceled'))
);
create unique index refunds_one_open on refunds (payment_id) where status in ('open', 'pending');
create index refunds_payment on refunds (payment_id);
create index refunds_unsent on refunds (created_at) where status = 'open';

-- Attempts to pay by card. The server limits them per user, so that users cannot test stolen or guessed card numbers. It
-- deletes an attempt that succeeds.
create table card_attempts (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null
);
create index card_attempts_user on card_attempts (user_id, created_at);

-- A publisher's account at the payment provider. Publishers can sell without one, but need one for payouts.
create table payee_accounts (
  user_id integer primary key references users on delete restrict,
  provider text not null,
  account_id text not null unique,
  country char(2) not null,
  transfers_status text not null default 'inactive',
  requirements jsonb not null default '[]',
  synced_at timestamptz not null default now()
);

create table transfers (
  id integer generated always as identity primary key,
  ad_id integer not null references ads on delete restrict,
  user_id integer not null references users on delete restrict,
  transfer_id text unique,
  amount_cents bigint not null,
  status text not null default 'open',
  created_at timestamptz not null default now(),
  constraint transfers_amount check (amount_cents > 0),
  constraint transfers_status_known check (status in ('open', 'succeeded', 'failed', 'reversed'))
);
create index transfers_ad on transfers (ad_id);

-- The objects of the sandbox, which stands in for a real card provider.
create table sandbox_objects (
  id text primary key,
  kind text not null,
  -- The provider answers a repeated call that has the same key with the same object.
  idempotency_key text unique,
  data jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

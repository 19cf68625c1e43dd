-- One row per payment intent. An ad is paid at most once, and has at most one intent open.
create table payments (
  id integer generated always as identity primary key,
  ad_id integer not null references ads on delete restrict,
  user_id integer not null references users on delete restrict,
  -- 'stripe-live', 'stripe-test' or 'sandbox': never mixed in a sum.
  book text not null,
  intent_id text unique,
  amount_cents bigint not null,
  commission_cents bigint not null,
  currency char(3) not null default 'USD',
  status text not null default 'open',
  charge_id text unique,
  paid_at timestamptz,
  -- When the provider was last asked about it.
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

-- What was agreed to be paid is fixed, and a payment never goes back: a closed one that is paid after all is given
-- back, so that it leads nowhere but to 'orphaned'.
create function guard_payment() returns trigger language plpgsql as $$
begin
  if (new.ad_id, new.user_id, new.book, new.amount_cents, new.commission_cents, new.currency)
    is distinct from (old.ad_id, old.user_id, old.book, old.amount_cents, old.commission_cents, old.currency)
  then
    raise exception 'what a payment is for is fixed' using errcode = 'check_violation';
  end if;
  if old.intent_id is not null and new.intent_id is distinct from old.intent_id then
    raise exception 'the intent of a payment is fixed' using errcode = 'check_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
    ('open', 'succeeded'), ('open', 'canceled'), ('open', 'orphaned'), ('canceled', 'orphaned'))
  then
    raise exception 'a payment cannot go from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger guard_payment before update on payments for each row execute function guard_payment();

-- No campaign goes live unpaid. Looked at when the transaction ends, because the two are written one after the other.
create function live_ad_is_paid() returns trigger language plpgsql as $$
begin
  if not exists (
    select from payments p
      where p.ad_id = new.id and p.status = 'succeeded' and p.intent_id = new.payment_intent_id
        and p.amount_cents = new.total_amount * 100 and p.commission_cents = new.commission_amount * 100)
  then
    raise exception 'ad % has no payment of its price', new.id using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger live_ad_is_paid after update of status on ads
  deferrable initially deferred for each row when (new.status = 'active' and old.status <> 'active')
  execute function live_ad_is_paid();

-- The inbox of the provider's events: an event is done in the same transaction as its effects.
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
  -- The platform's share of it; the rest is the publisher's.
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

-- Tries to pay by card that may be declines, so that a card cannot be found by trying (payments of one user take their
-- turn). A try that went well is taken out again.
create table card_attempts (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null
);
create index card_attempts_user on card_attempts (user_id, created_at);

-- A publisher's account at the provider; selling never needs one, being paid does.
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

-- Double entry, append-only. Debits are positive, credits negative; each transaction sums to 0.
create table ledger_accounts (
  id integer generated always as identity primary key,
  kind text not null,
  -- The ad or the user, as the kind says; null for the platform's own accounts.
  owner_id integer,
  currency char(3) not null,
  book text not null,
  constraint ledger_accounts_once unique nulls not distinct (kind, owner_id, currency, book),
  constraint ledger_accounts_book_known check (book in ('stripe-live', 'stripe-test', 'sandbox')),
  constraint ledger_accounts_kind_known check (kind in (
    'provider_clearing', 'provider_balance', 'bank', 'dispute_receivable', 'publisher_receivable',
    'deferred_publisher', 'deferred_commission', 'publisher_payable', 'refund_payable',
    'commission', 'processing_fees', 'dispute_fees', 'dispute_losses', 'bad_debt', 'fx', 'suspense'))
);

create table ledger_tx (
  id integer generated always as identity primary key,
  kind text not null,
  external_ref text not null,
  occurred_at timestamptz not null,
  meta jsonb not null default '{}',
  constraint ledger_tx_once unique (kind, external_ref)
);

create table ledger_postings (
  tx_id integer not null references ledger_tx on delete restrict,
  account_id integer not null references ledger_accounts on delete restrict,
  amount_cents bigint not null,
  primary key (tx_id, account_id),
  constraint ledger_postings_not_zero check (amount_cents <> 0)
);
create index ledger_postings_account on ledger_postings (account_id);

create function ledger_must_balance() returns trigger language plpgsql as $$
declare
  wrong record;
begin
  select a.currency, a.book, sum(p.amount_cents) as total into wrong
    from ledger_postings p join ledger_accounts a on a.id = p.account_id
    where p.tx_id = new.tx_id
    group by a.currency, a.book
    having sum(p.amount_cents) <> 0
    limit 1;
  if found then
    raise exception 'ledger transaction % is out of balance by % %', new.tx_id, wrong.total, wrong.currency
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger ledger_must_balance after insert on ledger_postings
  deferrable initially deferred for each row execute function ledger_must_balance();

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'check_violation';
end
$$;
create trigger ledger_postings_append_only before update or delete or truncate on ledger_postings
  for each statement execute function ledger_is_append_only();
create trigger ledger_accounts_append_only before update or delete or truncate on ledger_accounts
  for each statement execute function ledger_is_append_only();
create trigger ledger_tx_append_only before update or delete or truncate on ledger_tx
  for each statement execute function ledger_is_append_only();

-- State of the sandbox card provider, the labelled stand-in for a real one.
create table sandbox_objects (
  id text primary key,
  kind text not null,
  -- Repeating a call with the same key answers with the same object.
  idempotency_key text unique,
  data jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

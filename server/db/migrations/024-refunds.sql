-- Refunds that are retried until the provider agrees, and campaigns that end before everything was delivered.

-- What the advertiser gets back. A row is never deleted, and all rows of a payment together never exceed what was paid
-- (guard_refund): a refund that fails at the provider is owed again in the same row.
drop index refunds_one_open, refunds_unsent;
alter table refunds
  drop constraint refunds_status_known,
  add column ref uuid not null unique default gen_random_uuid(),
  add column cause text not null default 'too_late',
  add column publisher_cents bigint,
  add column attempts integer not null default 0,
  -- When the server asks the provider again. Null: never, unless an event of the provider arrives.
  add column look_at timestamptz,
  -- Why the provider refused or returned it last, in the provider's word.
  add column last_error text,
  -- The reason that an operator gave.
  add column note text;

-- One request to the provider, named by a random key that is its idempotency key. After an unknown outcome the server
-- repeats the request with the same key. After a refusal it makes another try with a new key.
create table refund_tries (
  key uuid primary key default gen_random_uuid(),
  refund_id integer not null references refunds on delete restrict,
  payment_id integer not null references payments on delete restrict,
  provider_id text unique,
  state text not null default 'trying',
  began_at timestamptz not null,
  -- The balance transactions that took the money and that brought it back, once they are in the ledger.
  taken_by text,
  returned_by text,
  error text,
  constraint refund_tries_state_known check (state in ('trying', 'pending', 'succeeded', 'failed')),
  constraint refund_tries_known_by_id check (state not in ('pending', 'succeeded') or provider_id is not null)
);
-- One refund of a payment at a time is on its way, and a refund is not sent again unless its last try failed.
create unique index refund_tries_one_in_flight on refund_tries (payment_id) where state in ('trying', 'pending');
create unique index refund_tries_one_good on refund_tries (refund_id) where state <> 'failed';
create index refund_tries_refund on refund_tries (refund_id);

insert into refund_tries (refund_id, payment_id, provider_id, state, began_at, taken_by)
  select id, payment_id, refund_id,
      case status when 'pending' then 'pending' when 'succeeded' then 'succeeded' else 'failed' end, created_at,
      case when status in ('pending', 'succeeded') then refund_id end
    from refunds where refund_id is not null;
update refunds set publisher_cents = amount_cents - commission_cents,
  status = case status when 'pending' then 'sent' when 'succeeded' then 'done' else 'owed' end,
  look_at = case when status = 'succeeded' then null else now() end;
alter table refunds
  drop column refund_id,
  drop column reason,
  alter column cause drop default,
  alter column publisher_cents set not null,
  alter column status set default 'owed',
  add constraint refunds_status_known check (status in ('owed', 'sent', 'done')),
  add constraint refunds_shares check (publisher_cents >= 0 and publisher_cents + commission_cents = amount_cents),
  add constraint refunds_owed_is_looked_at check (status <> 'owed' or look_at is not null),
  add constraint refunds_cause_known check (cause in (
    'too_late', 'delivered', 'canceled', 'taken_down', 'tag_silent', 'quota_unfinished', 'publisher_suspended',
    'fraud_warning', 'operator'));
create index refunds_due on refunds (look_at) where look_at is not null;
create index refunds_owed on refunds (id) where status <> 'done';

-- For two minutes an advertiser can cancel for the amount that they were shown, although a per-day ad has gone on.
create table refund_quotes (
  ad_id integer not null references ads on delete cascade,
  amount_cents bigint not null,
  units bigint not null,
  quoted_at timestamptz not null,
  primary key (ad_id, amount_cents)
);

-- The end of the ad's last pause, suspension or dispute. The silence of its tag counts from then on at the earliest.
-- `tag_silent_since` is when the tag's silence began, if it has lasted for 72 hours. The ad is paused by it.
alter table ads
  add column resumed_at timestamptz,
  add column tag_silent_since timestamptz;
create index ads_tag_silent on ads (tag_silent_since) where status = 'active' and tag_silent_since is not null;
create index ads_quota_running on ads (start_date) where status = 'active' and pricing_model <> 'per_day';

-- Settings › Billing lists an advertiser's payments, newest first.
create index payments_paid_by on payments (user_id, paid_at desc, id desc) where paid_at is not null;

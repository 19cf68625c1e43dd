-- Money that goes back to advertisers: by a dispute of their bank, or by a refund.

-- An ad with an open dispute is not served, and its clock stands (ad_held_since).
create table disputes (
  id integer generated always as identity primary key,
  dispute_id text not null unique,
  payment_id integer not null references payments on delete restrict,
  -- The provider's words, which may be some that we do not know yet.
  status text not null,
  reason text not null default '',
  amount_cents bigint not null,
  currency text not null,
  -- The evidence that the provider was sent last, or will be sent. It is stored before the call, so that a repeated
  -- call sends the same under the same key.
  evidence jsonb,
  evidence_key uuid,
  evidence_state text not null default 'none',
  evidence_error text,
  evidence_at timestamptz,
  -- When the evidence is to be staged or sent. Null: there is nothing to send.
  evidence_next_at timestamptz,
  -- Where the money of a lost dispute came from (docs/decisions/044-operator-books.md): what was not delivered (in its
  -- two shares), what the publisher had earned, and what the marketplace bears. The commission that it gave up is the
  -- rest.
  lost_publisher_cents bigint not null default 0,
  lost_commission_cents bigint not null default 0,
  borne_cents bigint not null default 0,
  absorbed_cents bigint not null default 0,
  opened_at timestamptz not null,
  -- Until when the bank takes evidence.
  due_at timestamptz,
  closed_at timestamptz,
  -- When the loss was booked.
  lost_at timestamptz,
  -- When the bank returned the money after that.
  recovered_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint disputes_amount check (amount_cents >= 0),
  constraint disputes_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint disputes_evidence_state_known check (evidence_state in ('none', 'staged', 'sending', 'sent')),
  constraint disputes_evidence_whole check ((evidence is null) = (evidence_key is null)),
  constraint disputes_lost_amounts check (
    lost_publisher_cents >= 0 and lost_commission_cents >= 0 and borne_cents >= 0 and absorbed_cents >= 0)
);
create index disputes_payment on disputes (payment_id);
create index disputes_open on disputes (due_at, id) where closed_at is null;
create index disputes_evidence_due on disputes (evidence_next_at) where evidence_next_at is not null;

-- The amounts that advertisers get back (docs/decisions/030-refunds.md). A row is never deleted, and all rows of a
-- payment together never exceed what was paid (guard_refund): a refund that fails at the provider is owed again in the
-- same row.
create table refunds (
  id integer generated always as identity primary key,
  ref uuid not null unique default gen_random_uuid(),
  payment_id integer not null references payments on delete restrict,
  cause text not null,
  -- The reason that an operator gave.
  note text,
  amount_cents bigint not null,
  -- The publisher's and the platform's shares of the amount.
  publisher_cents bigint not null,
  commission_cents bigint not null,
  -- The part that was neither owed to the advertiser nor undelivered. The marketplace bears it
  -- (docs/decisions/030-refunds.md).
  goodwill_cents bigint not null default 0,
  -- The part that its credit note is about, if that is not all of it.
  note_cents bigint,
  status text not null default 'owed',
  attempts integer not null default 0,
  -- Why the provider refused or returned it last, in the provider's word.
  last_error text,
  -- When the server asks the provider again. Null: never, unless an event of the provider arrives.
  look_at timestamptz,
  -- The lost dispute through which the advertiser's bank has already taken this refund.
  settled_by integer references disputes on delete restrict,
  -- When the operator paid it from the marketplace's own bank account, because the provider cannot send it.
  paid_by_hand_at timestamptz,
  created_at timestamptz not null default now(),
  -- The beginning of the present status, which users see.
  updated_at timestamptz not null default now(),
  constraint refunds_cause_known check (cause in (
    'too_late', 'not_as_agreed', 'delivered', 'canceled', 'taken_down', 'tag_silent', 'quota_unfinished',
    'publisher_suspended', 'fraud_warning', 'operator', 'target_refused')),
  -- An owed refund that was made outside in other parts is done with nothing left of it.
  constraint refunds_amount check (
    (amount_cents > 0 or (amount_cents = 0 and status = 'done')) and commission_cents between 0 and amount_cents),
  constraint refunds_shares check (
    publisher_cents >= 0 and goodwill_cents >= 0
    and publisher_cents + commission_cents + goodwill_cents = amount_cents),
  constraint refunds_status_known check (status in ('owed', 'sent', 'done')),
  constraint refunds_owed_is_looked_at check (status <> 'owed' or look_at is not null),
  constraint refunds_settled_is_done check (settled_by is null or status = 'done'),
  constraint refunds_by_hand_is_done check (
    paid_by_hand_at is null or (status = 'done' and settled_by is null))
);
create index refunds_payment on refunds (payment_id);
create index refunds_due on refunds (look_at) where look_at is not null;
create index refunds_owed on refunds (id) where status <> 'done';
create index refunds_settled on refunds (settled_by) where settled_by is not null;
create index refunds_created on refunds (created_at);
-- The running ads that the operator has refunded in part, among all refunds.
create index refunds_by_operator on refunds (payment_id) where cause = 'operator';
create index refunds_with_goodwill on refunds (payment_id) where goodwill_cents > 0;

-- One request to the provider, named by a random key that is its idempotency key. After an unknown outcome the server
-- repeats the request with the same key. After a refusal it makes another try with a new key.
create table refund_tries (
  key uuid primary key default gen_random_uuid(),
  refund_id integer not null references refunds on delete restrict,
  payment_id integer not null references payments on delete restrict,
  provider_id text unique,
  state text not null default 'trying',
  -- The refund was made at the provider without a request of ours, as in its dashboard. It can be on its way beside one of
  -- ours.
  made_outside boolean not null default false,
  error text,
  -- The balance transactions that took the money and that brought it back, once they are in the ledger.
  taken_by text,
  returned_by text,
  began_at timestamptz not null,
  -- When its latest request was sent. An operator's retry replaces a try only if none can be on its way any more.
  asked_at timestamptz,
  constraint refund_tries_state_known check (state in ('trying', 'pending', 'succeeded', 'failed')),
  constraint refund_tries_known_by_id check (state not in ('pending', 'succeeded') or provider_id is not null)
);
-- One refund of a payment at a time is on its way, and a refund is not sent again unless its last try failed.
create unique index refund_tries_one_in_flight on refund_tries (payment_id)
  where state in ('trying', 'pending') and not made_outside;
create unique index refund_tries_one_good on refund_tries (refund_id) where state <> 'failed';
create index refund_tries_refund on refund_tries (refund_id);
-- The line of a statement finds its credit note by the balance transaction of the refund.
create index refund_tries_taken on refund_tries (taken_by) where taken_by is not null;
create index refund_tries_returned on refund_tries (returned_by) where returned_by is not null;

-- For two minutes an advertiser can cancel for the amount that they were shown, although a per-day ad has gone on.
create table refund_quotes (
  ad_id integer not null references ads on delete cascade,
  amount_cents bigint not null,
  units bigint not null,
  quoted_at timestamptz not null,
  primary key (ad_id, amount_cents)
);

-- Each cancel by an advertiser (docs/decisions/030-refunds.md). They are counted by person, card and network.
create table cancels (
  id integer generated always as identity primary key,
  payment_id integer not null references payments on delete restrict,
  -- A keyed hash, as that of the card in payments.
  network text,
  state text not null,
  -- The refund to which the advertiser had agreed.
  refund_cents bigint not null,
  -- The fee of the card provider that stays with the marketplace, in the shares from which it is kept.
  kept_publisher_cents bigint not null default 0,
  kept_commission_cents bigint not null default 0,
  -- The fee that is kept when a waiting cancel is released.
  fee_cents bigint not null,
  created_at timestamptz not null,
  constraint cancels_state_known check (state in ('waiting', 'done', 'refused')),
  constraint cancels_amounts check (refund_cents >= 0 and fee_cents >= 0
    and kept_publisher_cents >= 0 and kept_commission_cents >= 0
    and kept_publisher_cents + kept_commission_cents <= fee_cents)
);
create index cancels_payment on cancels (payment_id);
create index cancels_at on cancels (created_at);
create unique index cancels_wait_once on cancels (payment_id) where state = 'waiting';
-- The cancels whose network the job 'remove-expired' clears are few of all.
create index cancels_with_network on cancels (created_at) where network is not null;

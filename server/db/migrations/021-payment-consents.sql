-- "Pay when approved": advertisers save a card and allow us to charge it for some of their ads, up to a limit. See
-- docs/decisions/072-payment-consents.md.

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

-- The person or company that the receipt of a payment names, if not the one of the settings.
alter table payments add column receipt_for jsonb;

create table users (
  id integer generated always as identity primary key,
  email text not null unique,
  password text not null,
  first_name text,
  last_name text,
  profile_image_url text,
  role text default 'both',
  has_completed_onboarding boolean not null default false,
  is_email_verified boolean not null default false,
  -- Mirrors of the newest live code in email_verifications, emptied after use.
  verification_code varchar(4),
  verification_code_expires timestamptz,
  password_reset_code varchar(4),
  password_reset_expires timestamptz,
  stripe_customer_id text unique,
  stripe_subscription_id text,
  -- A deleted account with paid history keeps its row, without the person's data.
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_email_normalized check (email = lower(btrim(email)) and email <> ''),
  constraint users_role_known check (role in ('buyer', 'seller', 'both'))
);

-- The shape connect-pg-simple asks for.
create table sessions (
  sid varchar primary key,
  sess json not null,
  expire timestamp(6) not null
);
create index sessions_expire on sessions (expire);
create index sessions_user on sessions ((sess ->> 'userId'));

create table email_verifications (
  id integer generated always as identity primary key,
  email text not null,
  -- Emptied once used or void.
  code varchar(4),
  purpose text not null default 'verify',
  -- SHA-256 of the one-time link's token.
  link_hash bytea unique,
  tries integer not null default 0,
  expires_at timestamptz not null,
  is_used boolean not null default false,
  created_at timestamptz not null default now(),
  constraint email_verifications_purpose_known check (purpose in ('verify', 'reset')),
  constraint email_verifications_code_length check (code is null or length(code) = 4),
  constraint email_verifications_tries check (tries between 0 and 5)
);
create index email_verifications_newest on email_verifications (email, purpose, id desc);
create index email_verifications_created on email_verifications (created_at);

create table user_settings (
  id integer generated always as identity primary key,
  user_id integer not null unique references users on delete cascade,
  email_notifications boolean not null default true,
  marketing_emails boolean not null default false,
  payment_alerts boolean not null default true,
  campaign_updates boolean not null default true,
  timezone text not null default 'UTC',
  currency text not null default 'USD',
  business_name text,
  tax_id text,
  website text,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_settings_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD'))
);

-- Counters of rate-limiter-flexible, shared by all copies of the server.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);

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
  -- Copies of the newest live code in email_verifications. The server clears them after use.
  verification_code varchar(4),
  verification_code_expires timestamptz,
  password_reset_code varchar(4),
  password_reset_expires timestamptz,
  stripe_customer_id text unique,
  stripe_subscription_id text,
  -- A deleted account that has paid or been paid keeps its row, without the person's data.
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_email_normalized check (email = lower(btrim(email)) and email <> ''),
  constraint users_role_known check (role in ('buyer', 'seller', 'both'))
);

-- connect-pg-simple writes the first three columns and ignores the rest, which Settings shows as open sessions.
create table sessions (
  sid varchar primary key,
  sess json not null,
  expire timestamp(6) not null,
  -- The name of the session in the API, because `sid` is the secret of the cookie.
  public_id uuid not null default gen_random_uuid(),
  -- Such as 'Firefox on Windows'. We keep neither the IP address nor the full user agent.
  device text,
  started_at timestamptz,
  -- The server updates it at most every few minutes.
  last_used_at timestamptz
);
create index sessions_expire on sessions (expire);
create index sessions_user on sessions ((sess ->> 'userId'));
create unique index sessions_public_id on sessions (public_id);

create table email_verifications (
  id integer generated always as identity primary key,
  email text not null,
  -- Null once the code has been used or replaced.
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

-- A change of e-mail address, from the request on. The user has verified the old address before.
create table email_changes (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  old_email text not null,
  -- SHA-256 of the token in the notice to the old address. Null once the link has been used or replaced.
  link_hash bytea unique,
  -- When the link expires.
  expires_at timestamptz not null,
  -- When the user verified the new address or undid the change. Null while the change is open.
  closed_at timestamptz,
  created_at timestamptz not null default now()
);
-- A second request before the new address is verified updates the open change.
create unique index email_changes_open on email_changes (user_id) where closed_at is null;
create index email_changes_expiry on email_changes (expires_at);
create index email_changes_user on email_changes (user_id, id);

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

-- The counters of rate-limiter-flexible. All instances of the server share them.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);

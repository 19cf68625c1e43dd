-- Accounts, what proves their e-mail addresses, their settings and their members.

-- For the search indexes of this file and others.
create extension if not exists pg_trgm;

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
  -- The version of the operator's terms that the person accepted at the sign-up
  -- (docs/decisions/088-settings-in-the-database.md). Null without terms.
  accepted_terms integer,
  accepted_terms_at timestamptz,
  -- Copies of the newest valid hashes in email_verifications. They are cleared after use. [OP-022]
  verification_code text,
  verification_code_expires timestamptz,
  password_reset_code text,
  password_reset_expires timestamptz,
  -- The customer at the present payment provider. provider_customers has one for each book.
  stripe_customer_id text unique,
  -- The specification names this column. No feature uses it.
  stripe_subscription_id text,
  -- The percent of a publisher's new ads (docs/decisions/091-tax-is-a-liability.md). Null: that of the marketplace.
  commission_percent numeric(4, 2),
  -- A suspension by the operator. The owner can read the reason. While it lasts, nothing of theirs is sold or served.
  suspended_at timestamptz,
  suspended_reason text,
  -- The row of a deleted account stays, without the person's data, if it has paid or been paid.
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_email_normalized check (email = lower(btrim(email)) and email <> ''),
  constraint users_role_known check (role in ('buyer', 'seller', 'both')),
  constraint users_commission_percent check (commission_percent between 0 and 50),
  constraint users_suspended_with_reason check (
    (suspended_at is null) = (coalesce(btrim(suspended_reason), '') = ''))
);
-- The operator's search (server/operator/store-find.ts). Operators search rarely, so their indexes keep the list of
-- pending entries, which makes writes cheaper.
create index users_operator_search on users
  using gin ((email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops);

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
  -- Documents are addressed to it.
  address text,
  -- ISO 3166-1. The tax rate that a price contains depends on it.
  country text,
  -- The tax status that a publisher states (docs/decisions/091-tax-is-a-liability.md). Null: not stated.
  tax_status text,
  charges_tax boolean not null default false,
  agrees_to_self_billing boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_settings_currency_known check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD')),
  constraint user_settings_country check (country ~ '^[A-Z]{2}$'),
  constraint user_settings_tax_status_known check (tax_status in ('private', 'small_business', 'business'))
);

-- The codes and links that we mail to prove an address or to reset a password.
create table email_verifications (
  id integer generated always as identity primary key,
  email text not null,
  purpose text not null default 'verify',
  -- The keyed hash of the code (HMAC-SHA-256). Null once the code was used, replaced or tried too often.
  code text,
  -- SHA-256 of the token in the one-time link. The link works longer than the code, because it cannot be guessed.
  link_hash bytea unique,
  tries integer not null default 0,
  is_used boolean not null default false,
  expires_at timestamptz not null,
  link_expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint email_verifications_purpose_known check (purpose in ('verify', 'reset')),
  constraint email_verifications_code_hashed check (length(code) = 43),
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

-- Members of accounts, and invitations to become one (docs/decisions/109-members.md).
create table account_members (
  id integer generated always as identity primary key,
  account_id integer not null references users on delete cascade,
  role text not null,
  -- The member. Null until the invited person joins.
  user_id integer references users on delete cascade,
  -- The invited address and the SHA-256 of the mailed token, until then.
  email text,
  token_hash bytea unique,
  expires_at timestamptz,
  -- The person who invited. No foreign key, as in operator_acts.
  invited_by integer not null,
  invited_at timestamptz not null,
  joined_at timestamptz,
  -- When the role was changed last. Null: never.
  role_changed_at timestamptz,
  constraint account_members_role_known check (role in ('owner', 'editor', 'billing', 'read')),
  constraint account_members_state check (
    (num_nonnulls(user_id, joined_at) = 2 and num_nonnulls(email, token_hash, expires_at) = 0)
    or (num_nonnulls(user_id, joined_at) = 0 and num_nonnulls(email, token_hash, expires_at) = 3)
  ),
  -- The founder owns the account without a row.
  constraint account_members_not_founder check (user_id <> account_id)
);
create unique index account_members_joined on account_members (account_id, user_id);
create unique index account_members_invited on account_members (account_id, email);
create index account_members_person on account_members (user_id) where user_id is not null;
create index account_members_address on account_members (email) where email is not null;
create index account_members_expired on account_members (expires_at) where expires_at is not null;

-- The present and past members of each account. They stay related after they have left
-- (docs/decisions/131-taking-back-means-alone.md). The trigger note_member writes it.
create table account_ties (
  account_id integer not null references users on delete cascade,
  user_id integer not null references users on delete cascade,
  primary key (account_id, user_id)
);
create index account_ties_person on account_ties (user_id);

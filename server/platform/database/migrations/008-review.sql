-- The review of ads: how fast publishers answer, and whose ads they take without a look or not at all.

-- How long the publisher of a website took for each answer.
create table review_answers (
  id integer generated always as identity primary key,
  website_id integer not null references websites on delete cascade,
  answered_at timestamptz not null,
  seconds integer not null,
  constraint review_answers_seconds check (seconds >= 0)
);
create index review_answers_latest on review_answers (website_id, answered_at desc);

-- Ads of this advertiser that lead to this host are approved on this website when they are submitted.
create table trusted_advertisers (
  id integer generated always as identity primary key,
  website_id integer not null references websites on delete cascade,
  user_id integer not null references users on delete cascade,
  -- As target_checks.host: in Punycode, with its port, without 'www.'.
  host text not null,
  created_at timestamptz not null default now(),
  unique (website_id, user_id, host)
);
create index trusted_advertisers_user on trusted_advertisers (user_id);

-- The publisher takes no ads of the advertiser, on none of their websites.
create table blocked_advertisers (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  advertiser_id integer not null references users on delete cascade,
  created_at timestamptz not null default now(),
  unique (user_id, advertiser_id)
);
create index blocked_advertisers_advertiser on blocked_advertisers (advertiser_id);

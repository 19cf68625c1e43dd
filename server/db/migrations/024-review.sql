-- The review of ads: its clock, withdrawals by advertisers, trusted advertisers, and what a website does not take.

alter table ads
  -- The advertiser withdrew the ad before it was paid. A resubmission clears it.
  add column withdrawn_at timestamptz,
  -- When the ad was last submitted, from which the publisher's answer time counts.
  add column review_since timestamptz not null default now(),
  -- When a pending ad is rejected without an answer. Null with APPROVAL_DAYS of 0.
  add column answer_due_at timestamptz,
  -- When the publisher of a pending ad is reminded next. Null after the last reminder.
  add column remind_at timestamptz,
  add constraint ads_withdrawn_is_rejected check (withdrawn_at is null or status = 'rejected');

-- An ad that waits since before this version gets the whole time.
update ads set review_since = created_at;
update ads set answer_due_at = now() + interval '5 days', remind_at = now() + interval '1 day' where status = 'pending';

create index ads_answer_due on ads (answer_due_at) where status = 'pending' and answer_due_at is not null;
create index ads_remind on ads (remind_at) where status = 'pending' and remind_at is not null;

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

-- What a website does not take. Advertisers read it before they write, and a submission is checked.
alter table websites
  add column refused_subjects text[] not null default '{}',
  -- Hosts in Punycode, without 'www.'. Their subdomains are refused, too.
  add column refused_domains text[] not null default '{}',
  add column refused_words text[] not null default '{}';

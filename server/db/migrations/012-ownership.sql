-- Only what our server reads itself proves who owns a website: its ads.txt, a meta tag on its home page, or DNS.

-- For the constraint `websites_one_owner`, which compares two columns with different operators.
create extension if not exists btree_gist;

-- Addresses are stored normalized since this version (server/inventory/site-address.ts): the same host is the same text.
-- A host with other letters than ASCII is normalized when the website is checked, because SQL has no Punycode.
update websites set url =
  regexp_replace(
    regexp_replace(lower(substring(url from '(?i)^https?://[^/?#]+')), '^(http://.*):80$|^(https://.*):443$', '\1\2'),
    '\.(:\d+)?$', '\1')
  || substring(url from '(?i)^https?://[^/?#]+(.*)$')
  where url ~* '^https?://[^/?#]+';

alter table websites
  -- Names the site. 'www.' is the same site, unless nothing but a top-level domain would be left.
  add column host text generated always as (
    regexp_replace(lower(substring(url from '(?i)^https?://([^/?#]+)')), '^www\.(?=[^.]+\.)', '')) stored,
  -- The publisher puts it into the meta tag or the DNS record. Null once the account was deleted: nothing can verify the
  -- website any more.
  add column verification_token text default translate(gen_random_uuid()::text, '-', '');

-- Finds the other accounts that claim a site.
create index websites_host on websites (host, user_id);

-- The result of the last search for a proof of ownership. A website has a row since its first check.
create table site_checks (
  website_id integer primary key references websites on delete cascade,
  -- The publisher's own last check. We look again for a few days, because a DNS record takes its time.
  requested_at timestamptz not null,
  checked_at timestamptz,
  -- Why each way proved nothing, as a sentence for the publisher; null if it proved the ownership.
  ads_txt_problem text,
  meta_tag_problem text,
  dns_problem text,
  -- The first check without any proof since the last proof; null while there is a proof.
  failing_since timestamptz,
  -- When we e-mailed the publisher that the proof is missing.
  warned_at timestamptz,
  -- Null if the job does not check this website.
  next_check_at timestamptz
);
create index site_checks_due on site_checks (next_check_at) where next_check_at is not null;

-- An ad request's Origin header could verify a website so far, and a client can send any header. So all proofs are
-- looked for again, by the next job.
insert into site_checks (website_id, requested_at, next_check_at)
  select id, now(), now() from websites where verified_at is not null;
update websites set verified_at = null where verified_at is not null;

-- Two accounts never hold the same verified site. One account may have several websites on it.
alter table websites add constraint websites_one_owner
  exclude using gist (host with =, user_id with <>) where (verified_at is not null);

-- A valid proof for a site that another account holds. The operator decides.
create table ownership_disputes (
  id integer generated always as identity primary key,
  website_id integer not null unique references websites on delete cascade,
  opened_at timestamptz not null,
  -- The operator decided for the other account. Null while the dispute is open.
  refused_at timestamptz,
  reason text,
  constraint ownership_disputes_refused_with_reason check (
    (refused_at is null) = (reason is null) and btrim(reason) <> '')
);
create index ownership_disputes_open on ownership_disputes (id) where refused_at is null;

-- Where the target of an ad leads. It is fetched after each submission and then daily, while the ad can be shown.
--
-- `host` is that of the target itself. `due_at` is when it is fetched next, null for an ad that is over. `final_host` and
-- `content_hash` are those of the last answer, after all redirects. `problem` says why the last try got no page, null if
-- it got one. `listed_host` is the first host on the way that is a known phishing host. `approved_host` and
-- `approved_hash` are those that the publisher approved. Hosts leave 'www.' out, as websites.host does.
create table target_checks (
  ad_id integer primary key references ads on delete cascade,
  host text not null,
  due_at timestamptz,
  checked_at timestamptz,
  final_host text,
  content_hash bytea,
  problem text,
  listed_host text,
  approved_host text,
  approved_hash bytea
);
create index target_checks_due on target_checks (due_at, ad_id) where due_at is not null;

-- Since when an ad is on hold because of its target, and why. Its clock stands (ad_held_since).
alter table ads
  add column target_held_at timestamptz,
  add column target_held_for text,
  add constraint ads_target_held_for_known check (target_held_for in ('changed', 'listed')),
  add constraint ads_target_held_with_reason check ((target_held_at is null) = (target_held_for is null));
create index ads_target_held on ads (ad_zone_id) where target_held_at is not null;

-- The content of an ad is fixed once it is approved, so stored targets stay as they are; they are answered in ASCII. The
-- first checks are spread over a day.
insert into target_checks (ad_id, host, due_at)
  select id,
      regexp_replace(lower(coalesce(substring(target_url from '^https?://([^/?#]+)'), '')), '^www\.(?=[^.]+\.)', ''),
      now() + random() * interval '1 day'
    from ads where status in ('pending', 'approved', 'active');

alter table ads
  drop constraint ads_ended_reason_known,
  add constraint ads_ended_reason_known check (ended_reason in (
    'delivered', 'canceled', 'taken_down', 'tag_silent', 'quota_unfinished', 'publisher_suspended', 'fraud_warning',
    'operator', 'target_refused'));
alter table refunds
  drop constraint refunds_cause_known,
  add constraint refunds_cause_known check (cause in (
    'too_late', 'not_as_agreed', 'delivered', 'canceled', 'taken_down', 'tag_silent', 'quota_unfinished',
    'publisher_suspended', 'fraud_warning', 'operator', 'target_refused'));

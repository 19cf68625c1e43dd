-- expand
-- With REVIEW_WEBSITES, the operator looks at new websites before they are offered
-- (server/inventory/review/review-website.ts).
set local lock_timeout = '500ms';

alter table websites
  -- Null: offered, as far as the review matters. That is every website from before.
  add column review text,
  -- Since when it waits, or when it was refused.
  add column review_since timestamptz,
  -- The publisher reads it: the operator's question, or the reason of the refusal.
  add column review_text text,
  add constraint websites_review_known check (review in ('waiting', 'hidden')),
  add constraint websites_review check (
    (review is null) = (review_since is null)
    and (review_text is null or review is not null)
    and (review is distinct from 'hidden' or review_text is not null)) not valid;

insert into known_acts (name) values ('show-website'), ('hide-website'), ('ask-website');

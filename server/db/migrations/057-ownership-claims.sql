-- A valid proof for a site that another account holds is an ownership claim. A dispute is about the payment of a card.
-- The operator decides about a claim.
create table ownership_claims (
  id integer generated always as identity primary key,
  website_id integer not null unique references websites on delete cascade,
  opened_at timestamptz not null,
  -- The operator decided for the other account. Null while the claim is open.
  refused_at timestamptz,
  reason text,
  constraint ownership_claims_refused_with_reason check (
    (refused_at is null) = (reason is null) and btrim(reason) <> '')
);
insert into ownership_claims (website_id, opened_at, refused_at, reason)
  select website_id, opened_at, refused_at, reason from ownership_disputes order by id;
drop table ownership_disputes;
create index ownership_claims_open on ownership_claims (id) where refused_at is null;

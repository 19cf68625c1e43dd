-- Plans: several ads that an advertiser submits together, with one creative (docs/decisions/073-plans.md).

create table plans (
  id integer generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  user_id integer not null references users on delete cascade,
  -- The advertiser's own id of the submission, so that a repeated one makes no second plan.
  request_id uuid not null,
  -- SHA-256 of the submitted body. The same request_id with another body is refused.
  body_hash bytea not null,
  name text not null,
  created_at timestamptz not null default now(),
  constraint plans_once unique (user_id, request_id),
  constraint plans_name check (btrim(name) <> '' and length(name) <= 100)
);
create index plans_owner on plans (user_id, id desc);

alter table ads add column plan_id integer references plans on delete set null;
create index ads_of_plan on ads (plan_id, id) where plan_id is not null;

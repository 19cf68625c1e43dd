-- Requests that one operator makes and another one confirms: a change of the operators, or a large refund
-- (docs/decisions/051-second-operator.md).
create table operator_requests (
  id integer generated always as identity primary key,
  kind text not null,
  -- The account or the ad.
  subject_id integer not null,
  -- The amount of a refund when it was requested.
  amount_cents bigint,
  -- Whether everything that is left is refunded, which may be less by the time of the confirmation.
  is_everything boolean not null default false,
  reason text not null,
  requested_by integer not null references users on delete restrict,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  outcome text,
  -- Null for the command line.
  decided_by integer references users on delete restrict,
  decided_at timestamptz,
  constraint operator_requests_kind_known check (kind in ('add-operator', 'remove-operator', 'refund')),
  constraint operator_requests_amount check ((kind = 'refund') = (amount_cents is not null) and amount_cents > 0),
  constraint operator_requests_reason check (btrim(reason) <> '' and length(reason) <= 500),
  constraint operator_requests_outcome_known check (outcome in ('confirmed', 'declined', 'expired')),
  constraint operator_requests_decided check ((outcome is null) = (decided_at is null)),
  constraint operator_requests_two_people check (outcome is distinct from 'confirmed' or decided_by is distinct from requested_by)
);
create unique index operator_requests_open on operator_requests (kind, subject_id) where outcome is null;

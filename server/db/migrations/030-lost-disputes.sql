-- Disputes that are lost (docs/decisions/037-lost-disputes.md), and holds of unverified sites.

-- Where the money of a lost dispute came from: what was not delivered (in its two shares), what the publisher had earned,
-- and what the marketplace bears. The commission that it gave up is the rest.
alter table disputes
  add column lost_at timestamptz,
  add column lost_publisher_cents bigint not null default 0,
  add column lost_commission_cents bigint not null default 0,
  add column borne_cents bigint not null default 0,
  add column absorbed_cents bigint not null default 0,
  add constraint disputes_lost_amounts check (
    lost_publisher_cents >= 0 and lost_commission_cents >= 0 and borne_cents >= 0 and absorbed_cents >= 0);

-- The lost dispute through which the advertiser's bank has already taken this refund.
alter table refunds
  add column settled_by integer references disputes on delete restrict,
  add constraint refunds_settled_is_done check (settled_by is null or status = 'done');

-- Since when no entry can follow, because a dispute was lost.
alter table ad_earnings add column closed_at timestamptz;

-- A hold does not cover what the ad had earned before it began.
alter table holds
  add column earned_before_cents bigint not null default 0,
  add constraint holds_earned_before check (earned_before_cents >= 0);

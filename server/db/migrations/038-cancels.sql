-- expand
-- The cost of a cancel (docs/decisions/092-the-cost-of-a-cancel.md).
set local lock_timeout = '500ms';

-- Since when the ad is not shown because its advertiser's cancel waits for the operator.
alter table ads add column cancel_asked_at timestamptz;

-- Each cancel by an advertiser. They are counted by person, card and network.
create table cancels (
  id integer generated always as identity primary key,
  payment_id integer not null references payments on delete restrict,
  -- A keyed hash, as that of the card in payments.
  network text,
  state text not null,
  -- The refund to which the advertiser had agreed.
  refund_cents bigint not null,
  -- The fee of the card provider that stays with the marketplace, in the shares from which it is kept.
  kept_publisher_cents bigint not null default 0,
  kept_commission_cents bigint not null default 0,
  -- The fee that is kept when a waiting cancel is released.
  fee_cents bigint not null,
  created_at timestamptz not null,
  constraint cancels_state_known check (state in ('waiting', 'done', 'refused')),
  constraint cancels_amounts check (refund_cents >= 0 and fee_cents >= 0
    and kept_publisher_cents >= 0 and kept_commission_cents >= 0
    and kept_publisher_cents + kept_commission_cents <= fee_cents)
);
create index cancels_payment on cancels (payment_id);
create index cancels_at on cancels (created_at);
create unique index cancels_wait_once on cancels (payment_id) where state = 'waiting';

alter table ledger_accounts
  drop constraint ledger_accounts_kind_known,
  add constraint ledger_accounts_kind_known check (kind in (
    'provider_clearing', 'provider_balance', 'bank', 'dispute_receivable', 'publisher_receivable',
    'deferred_publisher', 'deferred_commission', 'publisher_payable', 'refund_payable',
    'commission', 'waived_earnings', 'processing_fees', 'dispute_fees', 'dispute_losses', 'bad_debt', 'fx',
    'suspense', 'tax_payable', 'tax_deferred', 'cancel_fees'));

insert into known_acts (name) values ('release-cancel'), ('refuse-cancel');

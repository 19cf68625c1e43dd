-- The operator's books: money in suspense is decided, disputes are answered with evidence, and earnings are held by the
-- operator (docs/decisions/044-operator-books.md).

-- What arrived for a payment that is in suspense. It may differ from what was agreed, and so may its currency.
alter table payments
  add column received_cents bigint,
  add column received_currency text,
  add constraint payments_received check (received_cents is null or (received_cents > 0 and status = 'suspense')),
  add constraint payments_received_currency_known check (received_currency in ('USD', 'EUR', 'GBP', 'CAD', 'AUD'));
update payments p
  set received_cents = l.amount_cents, received_currency = a.currency
  from ledger_tx t
  join ledger_postings l on l.tx_id = t.id
  join ledger_accounts a on a.id = l.account_id
  where p.status = 'suspense' and t.kind = 'suspense' and t.external_ref = coalesce(p.charge_id, p.intent_id)
    and a.kind = 'provider_clearing';

-- What the operator decided about money in suspense: of a payment, or of a movement at the provider that no sale explains
-- and that `tx_id` booked. Each is decided once, and never again.
create table suspense_decisions (
  id integer generated always as identity primary key,
  payment_id integer unique references payments on delete restrict,
  tx_id integer unique references ledger_tx on delete restrict,
  outcome text not null,
  decided_at timestamptz not null,
  constraint suspense_decisions_one_subject check (num_nonnulls(payment_id, tx_id) = 1),
  constraint suspense_decisions_outcome_known check (
    outcome in ('refunded', 'own_money', 'provider_fee', 'written_off'))
);
create index ledger_tx_suspense on ledger_tx (id) where kind = 'suspense';

-- An owed refund that the provider cannot send, which the operator has paid from the marketplace's own bank account.
alter table refunds
  add column paid_by_hand_at timestamptz,
  add constraint refunds_by_hand_is_done check (
    paid_by_hand_at is null or (status = 'done' and settled_by is null)),
  drop constraint refunds_cause_known,
  add constraint refunds_cause_known check (cause in (
    'too_late', 'not_as_agreed', 'delivered', 'canceled', 'taken_down', 'tag_silent', 'quota_unfinished',
    'publisher_suspended', 'fraud_warning', 'operator'));

create index refunds_settled on refunds (settled_by) where settled_by is not null;

-- `evidence` is what the provider was sent last, or will be sent: it is stored before the call, so that a repeated call
-- sends the same under the same key. `recovered_at`: the bank returned the money after the loss was booked.
alter table disputes
  add column reason text not null default '',
  add column evidence jsonb,
  add column evidence_key uuid,
  add column evidence_state text not null default 'none',
  add column evidence_at timestamptz,
  add column evidence_error text,
  add column evidence_next_at timestamptz,
  add column recovered_at timestamptz,
  add constraint disputes_evidence_state_known check (evidence_state in ('none', 'staged', 'sending', 'sent')),
  add constraint disputes_evidence_whole check ((evidence is null) = (evidence_key is null));
update disputes set evidence_next_at = opened_at where closed_at is null;
create index disputes_evidence_due on disputes (evidence_next_at) where evidence_next_at is not null;
create index disputes_open on disputes (due_at, id) where closed_at is null;

-- A hold without an ad is one of its publisher, and each publisher can have one.
drop index holds_once;
create unique index holds_once on holds (user_id, ad_id, reason, external_ref) nulls not distinct where released_at is null;
create index holds_open on holds (id) where released_at is null;

alter table operator_acts drop constraint operator_acts_act_known;
alter table operator_acts add constraint operator_acts_act_known check (
  act in ('add-operator', 'remove-operator', 'suspend', 'restore', 'take-down', 'dismiss-reports', 'uphold', 'reverse',
    'end-sessions', 'reset-second-factor', 'resend-mail', 'retry-job', 'drop-job',
    'decide-ownership', 'refuse-claim', 'overrule-withdrawal', 'refund', 'retry-refund',
    'settle-suspense', 'pay-refund', 'hold', 'release', 'send-evidence'));

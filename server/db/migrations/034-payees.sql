-- Onboarding of publishers at the payment provider (server/payments/payees). The row is stored before the provider is
-- called. `key` becomes the idempotency key of the account, `account_id` is null until the provider has answered, and
-- `country` is fixed by the first call. `requirements` holds the provider's words.
alter table payee_accounts
  add column key uuid not null default gen_random_uuid(),
  add column state text not null default 'none',
  add column created_at timestamptz not null default now(),
  alter column account_id drop not null,
  alter column synced_at drop not null,
  alter column synced_at drop default;
update payee_accounts set
  state = case transfers_status when 'active' then 'ready' when 'pending' then 'pending' else 'restricted' end;
alter table payee_accounts
  drop column provider,
  drop column transfers_status,
  add constraint payee_accounts_state_known check (state in ('none', 'pending', 'restricted', 'ready')),
  add constraint payee_accounts_state_of_account check ((account_id is null) = (state = 'none'));

-- `payments.card` keeps the keyed hash of the card that paid, so that one person on both sides is found
-- (server/payments/same-person.ts).
create index payments_paid_card on payments (user_id, card) where status = 'succeeded' and card is not null;

-- Holds of suspicious traffic, and publishers who share a bank account (docs/decisions/046-suspicious-traffic.md and
-- 042-payees.md).

-- When a hold of suspicious traffic ends by itself. Each comparison that finds the traffic suspicious again moves it, also
-- of a hold that the operator has released, so that the same suspicion does not hold the ad a second time.
alter table holds
  add column until timestamptz,
  add constraint holds_until_of_traffic check ((until is not null) = (reason = 'traffic'));

-- Keyed hashes of the bank accounts and cards that receive the payouts of an account.
alter table payee_accounts
  add column destinations text[] not null default '{}';
create index payee_accounts_destinations on payee_accounts using gin (destinations);

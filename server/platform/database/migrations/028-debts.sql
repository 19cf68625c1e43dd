-- expand
-- Debts of publishers have an owner (server/money/ledger/debts.ts): they are written off or booked as paid by an act, and those
-- of deleted accounts keep the name and the address.

set local lock_timeout = '5s';
insert into known_acts (name) values ('write-off'), ('request-write-off'), ('debt-paid');

-- Where the operator reaches a person who deleted their account and owes money. Null for all others.
alter table closing_parties add column email text;

-- The limit above which two owners write off is that of refunds.
alter table operator_requests drop constraint operator_requests_kind_known;
alter table operator_requests add constraint operator_requests_kind_known check (
  kind in ('add-operator', 'remove-operator', 'set-operator-role', 'refund', 'write-off')) not valid;
alter table operator_requests validate constraint operator_requests_kind_known;
alter table operator_requests drop constraint operator_requests_amount;
alter table operator_requests add constraint operator_requests_amount check (
  (kind in ('refund', 'write-off')) = (amount_cents is not null) and amount_cents > 0) not valid;
alter table operator_requests validate constraint operator_requests_amount;

-- expand
-- A cancel that waits for the operator is carried out by itself after some days (server/operator/money/overdue-cancels.ts).

set local lock_timeout = '5s';
-- When the operator was reminded of a cancel that waits.
alter table cancels add column reminded_at timestamptz;
insert into known_acts (name) values ('carry-out-cancel');

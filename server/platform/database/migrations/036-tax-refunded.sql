-- expand
-- A state pays tax back whose input tax is above the output tax (server/money/books/pay-tax.ts).

set local lock_timeout = '5s';
insert into known_acts (name) values ('refund-tax');

-- expand
-- The kind of advertiser that a payment was agreed with, for a rule of its country that changes before the charge
-- (server/money/checkout/tax.ts).

set local lock_timeout = '5s';
-- Null: no tax was shown, or the payment was begun by an earlier release.
alter table payments add column tax_of_business boolean;

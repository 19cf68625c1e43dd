-- expand
-- The fee is stored once with the payment, so that its readers need not know how a tax was split.
set local lock_timeout = '500ms';

-- Computed, because servers of the release before insert payments without it. With the split net, the tax is beside the fee,
-- and with gross it is inside.
alter table payments add column fee_cents bigint not null
  generated always as (commission_cents - case tax_split when 'net' then tax_cents else 0 end) stored;

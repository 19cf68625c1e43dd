-- expand
-- The fee of the marketplace is a setting, and a publisher can have another one (docs/decisions/090-commission.md).
set local lock_timeout = '500ms';

-- The percent of an ad, fixed at its submission. Ads of release 0.1.0 have its fee.
alter table ads
  add column commission_percent numeric(4, 2) not null default 15,
  add constraint ads_commission_percent check (commission_percent between 0 and 50) not valid;

-- The percent of a publisher's new ads. Null: that of the marketplace.
alter table users
  add column commission_percent numeric(4, 2),
  add constraint users_commission_percent check (commission_percent between 0 and 50) not valid;

insert into known_acts (name) values ('set-commission');

-- How much of a pricing option can be bought, and what an ad bought of it.

set lock_timeout = '5s';

-- A quantity is min_quantity + n × step, and at most max_quantity. `price` and the plan are those of one unit.
alter table ad_zone_products
  add column min_quantity integer not null default 1,
  add column max_quantity integer not null default 1,
  add column step integer not null default 1,
  -- [{"fromQuantity": 3, "price": "9.00"}]: rising quantities, falling prices of a unit (domain/inventory/quantity.ts).
  add column volume_prices jsonb not null default '[]',
  add constraint ad_zone_products_quantities check (min_quantity between 1 and max_quantity and max_quantity <= 10000),
  add constraint ad_zone_products_step check (step between 1 and 10000),
  add constraint ad_zone_products_volume_prices check (jsonb_typeof(volume_prices) = 'array');

-- `total_amount` and the plan of an ad are those of the whole quantity.
alter table ads
  add column quantity integer not null default 1,
  add constraint ads_quantity check (quantity between 1 and 10000);

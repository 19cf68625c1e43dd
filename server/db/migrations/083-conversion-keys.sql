-- expand
-- An order number is known for a click, and for the advertiser if their key has proven it
-- (docs/decisions/134-orders-by-key.md).

-- In steps
create unique index concurrently if not exists conversions_proven_order on conversions (user_id, order_hash)
  where order_hash is not null and is_proven;
create unique index concurrently if not exists conversions_order_of_click on conversions (decision_id, order_hash)
  where order_hash is not null;
create index concurrently if not exists conversions_orders on conversions (user_id, order_hash) where order_hash is not null;
drop index concurrently if exists conversions_order;

-- Tells every instance of the server that the ads or the price of a zone have changed
-- (server/platform/database/migrations/009-delivery.sql).
create or replace function note_delivery_change(zone integer) returns void language sql as $$
  insert into delivery_changes (zone_id) values (zone);
  select pg_notify('delivery_changes', '');
$$;

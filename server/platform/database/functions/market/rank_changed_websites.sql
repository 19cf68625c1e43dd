-- Ranks the websites of the rows that a statement has written, deleted or, for ad zones, withdrawn, and those of a
-- publisher who was suspended or restored.
create or replace function rank_changed_websites() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'websites' then
      perform rank_websites(array(select id from changed));
    when 'ad_zones' then
      perform rank_websites(array(select distinct website_id from changed));
    when 'ad_zone_products' then
      perform rank_websites(array(select distinct z.website_id from changed c join ad_zones z on z.id = c.ad_zone_id));
    when 'zone_measurements' then
      perform rank_websites(array(select distinct z.website_id from changed c join ad_zones z on z.id = c.zone_id));
    when 'users' then
      -- Lock the websites first. A transaction that changes one of them may hold its ads while it waits for its rank, and
      -- this transaction will wait for these ads (docs/decisions/049-lock-order.md).
      perform from websites where user_id = new.id order by id for no key update;
      perform rank_websites(array(select id from websites where user_id = new.id));
  end case;
  return null;
end
$$;

create or replace trigger rank_new_websites after insert on websites
  referencing new table as changed for each statement execute function rank_changed_websites();
create or replace trigger rank_websites_changing after update on websites
  referencing new table as changed for each statement execute function rank_changed_websites();

-- A new ad zone has neither prices nor measurements. Those of a deleted one go with it.
create or replace trigger rank_zones_changing after update on ad_zones
  referencing new table as changed for each statement execute function rank_changed_websites();
create or replace trigger rank_removed_zones after delete on ad_zones
  referencing old table as changed for each statement execute function rank_changed_websites();

create or replace trigger rank_new_products after insert on ad_zone_products
  referencing new table as changed for each statement execute function rank_changed_websites();
create or replace trigger rank_products_changing after update on ad_zone_products
  referencing new table as changed for each statement execute function rank_changed_websites();
create or replace trigger rank_removed_products after delete on ad_zone_products
  referencing old table as changed for each statement execute function rank_changed_websites();

create or replace trigger rank_new_measurements after insert on zone_measurements
  referencing new table as changed for each statement execute function rank_changed_websites();
create or replace trigger rank_measurements_changing after update on zone_measurements
  referencing new table as changed for each statement execute function rank_changed_websites();

-- PostgreSQL has no transition table for a trigger of certain columns, so this one runs for each row.
create or replace trigger rank_websites_of_person after update of suspended_at on users
  for each row when (old.suspended_at is distinct from new.suspended_at) execute function rank_changed_websites();

-- In a cell, notes the hours of ads whose figures have changed, which the marketplace has to hear of
-- (server/cells/cell/push.ts). Late changes of folded hours change no sum, and the marketplace refuses hours that old.
-- Events of an ad zone that a request has invented name none, and are left out.
create or replace function note_cell_due() returns trigger language plpgsql as $$
begin
  if is_cell() then
    insert into cell_due (zone_id, ad_id, hour)
      select distinct zone_id, coalesce(ad_id, 0), hour from changed
        where zone_id is not null and hour > now() - interval '30 days';
  end if;
  return null;
end
$$;

create or replace trigger note_cell_due_new after insert on delivery_hourly
  referencing new table as changed for each statement execute function note_cell_due();
create or replace trigger note_cell_due_changed after update on delivery_hourly
  referencing new table as changed for each statement execute function note_cell_due();
create or replace trigger note_cell_due_removed after delete on delivery_hourly
  referencing old table as changed for each statement execute function note_cell_due();

-- Notes that a zone was added, changed or deleted.
create or replace function note_zone_change() returns trigger language plpgsql as $$
begin
  perform note_delivery_change(case when tg_op = 'DELETE' then old.id else new.id end);
  return null;
end
$$;

create or replace trigger note_zone_creation after insert or delete on ad_zones
  for each row execute function note_zone_change();

create or replace trigger note_zone_changing after update on ad_zones
  for each row when (
    (old.website_id, old.is_active, old.deleted_at, old.house_title, old.house_description, old.house_url,
        old.look, old.accent, old.suspended_at, old.excludes)
      is distinct from
      (new.website_id, new.is_active, new.deleted_at, new.house_title, new.house_description, new.house_url,
        new.look, new.accent, new.suspended_at, new.excludes))
  execute function note_zone_change();

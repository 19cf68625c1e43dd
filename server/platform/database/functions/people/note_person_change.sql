-- Notes a change of every zone that shows ads of a person or belongs to them, because the person was suspended or
-- restored.
create or replace function note_person_change() returns trigger language plpgsql as $$
begin
  perform note_delivery_change(zone_id) from (
    select z.id as zone_id from ad_zones z join websites w on w.id = z.website_id where w.user_id = new.id
    union
    select a.ad_zone_id from ads a where a.user_id = new.id and a.status = 'active'
  ) as zones;
  return null;
end
$$;

create or replace trigger note_person_changing after update of suspended_at
  on users for each row when (old.suspended_at is distinct from new.suspended_at)
  execute function note_person_change();

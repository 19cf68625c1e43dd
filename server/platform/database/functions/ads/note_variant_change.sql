-- Notes that a zone shows another second creative.
create or replace function note_variant_change() returns trigger language plpgsql as $$
begin
  perform note_delivery_change(a.ad_zone_id) from ads a where a.id = new.ad_id;
  return null;
end
$$;

create or replace trigger note_variant_change after update of status on ad_variants
  for each row when (old.status <> new.status and 'approved' in (old.status, new.status))
  execute function note_variant_change();

-- Notes a change of every zone of a website, because the website has changed.
create or replace function note_website_change() returns trigger language plpgsql as $$
begin
  perform note_delivery_change(z.id) from ad_zones z where z.website_id = new.id;
  return null;
end
$$;

create or replace trigger note_website_changing after update on websites
  for each row when (
    (old.url, old.is_active, old.monthly_visitors, old.suspended_at, old.review)
      is distinct from (new.url, new.is_active, new.monthly_visitors, new.suspended_at, new.review))
  execute function note_website_change();

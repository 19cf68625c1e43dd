-- Refuses a change to the content of a second creative, so that the publisher approves what visitors see, and a status
-- change that the state table does not allow (domain/ads/variants.ts).
create or replace function guard_variant() returns trigger language plpgsql as $$
begin
  if (new.id, new.public_id, new.ad_id, new.number, new.title, new.description, new.target_url, new.image_url, new.video_url)
    is distinct from
    (old.id, old.public_id, old.ad_id, old.number, old.title, old.description, old.target_url, old.image_url, old.video_url)
  then
    raise exception 'the content of a second creative is fixed' using errcode = 'check_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
    ('pending', 'approved'), ('pending', 'rejected'), ('pending', 'removed'), ('approved', 'removed'))
  then
    raise exception 'a second creative cannot go from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_variant before update on ad_variants for each row execute function guard_variant();
